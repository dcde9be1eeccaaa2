import Stripe from 'stripe';
import type { PaymentProvider, ProviderIntent, ProviderIntentState } from '../../features/payments/ports.ts';
import { readStripeWebhook } from './read-stripe-webhook.ts';
import { toProviderError } from './to-provider-error.ts';
import { toProviderIntent } from './to-provider-intent.ts';

export interface StripeOptions {
  /** Secret or restricted; it decides whether money is real. */
  secretKey: string;
  publishableKey: string;
  /** All of them are believed: the present one, and the other one while a change is under way. */
  webhookSecrets: readonly string[];
  /** Where Stripe is, such as `http://127.0.0.1:12111`; null: Stripe itself. */
  apiBase: string | null;
  /** Milliseconds that one try may take. */
  timeout?: number;
}

/** The version whose words this adapter speaks, whatever the account's own default is. */
const apiVersion = '2026-10-28.endive';

/** What a payment is read with: the charge knows the card and what was given back. */
const expand = ['latest_charge', 'payment_method'];

/** Stripe in the words of payments. Card data goes from the browser to Stripe and never comes here. */
export function createStripeProvider(options: StripeOptions): PaymentProvider {
  const stripe = new Stripe(options.secretKey, {
    ...addressOf(options.apiBase),
    apiVersion,
    timeout: options.timeout ?? 10_000,
    maxNetworkRetries: 2,
    telemetry: false,
    appInfo: { name: 'Keyturn' },
  });
  const isLive = /^(sk|rk)_live_/.test(options.secretKey);
  const retrieve = (intentId: string) => stripe.paymentIntents.retrieve(intentId, { expand });

  const told = async (intent: Stripe.PaymentIntent): Promise<ProviderIntent> => {
    const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null;
    const disputes = charge?.disputed
      ? (await stripe.disputes.list({ payment_intent: intent.id, limit: 100 })).data
      : [];
    return toProviderIntent(intent, disputes);
  };
  const tell = async (ask: () => Promise<Stripe.PaymentIntent>): Promise<ProviderIntent> => {
    try {
      return await told(await ask());
    } catch (error) {
      throw toProviderError(error);
    }
  };

  return {
    name: 'stripe',
    publishableKey: options.publishableKey,
    createIntent: (terms) =>
      tell(() =>
        stripe.paymentIntents.create(
          {
            amount: terms.amount,
            currency: terms.currency,
            description: terms.description,
            metadata: { payment_id: terms.paymentId, case_id: terms.caseId, kind: terms.kind },
            // Cards alone, the bank's check within the page: nothing that settles days later or leads away.
            allowed_payment_method_types: ['card'],
            automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
            expand,
          },
          { idempotencyKey: terms.idempotencyKey },
        ),
      ),
    listIntents: async (since) => {
      const listed: ProviderIntentState[] = [];
      const asked = { created: { gte: Math.floor(since.getTime() / 1000) }, limit: 100 };
      try {
        const pages = stripe.paymentIntents.list({ ...asked, expand: ['data.latest_charge'] });
        for await (const intent of pages) {
          // The firm may take other money with the same account.
          if (intent.metadata.payment_id === undefined) continue;
          const { clientSecret: _secret, ...facts } = await told(intent);
          listed.push(facts);
        }
        return listed;
      } catch (error) {
        throw toProviderError(error);
      }
    },
    retrieveIntent: (intentId) => tell(() => retrieve(intentId)),
    cancelIntent: (intentId) =>
      tell(async () => {
        const intent = await retrieve(intentId);
        if (!cancelable.has(intent.status)) return intent;
        try {
          return await stripe.paymentIntents.cancel(intentId, { expand });
        } catch (error) {
          // The payer was quicker.
          if (isUnexpectedState(error)) return retrieve(intentId);
          throw error;
        }
      }),
    readWebhook: (body, headers, now) =>
      readStripeWebhook({
        body,
        header: headers['stripe-signature'],
        secrets: options.webhookSecrets,
        isLive,
        now,
      }),
  };
}

function addressOf(apiBase: string | null) {
  if (apiBase === null) return {};
  const { protocol, hostname, port } = new URL(apiBase);
  const isPlain = protocol === 'http:';
  return {
    host: hostname,
    port: port || (isPlain ? 80 : 443),
    protocol: isPlain ? ('http' as const) : ('https' as const),
  };
}

const cancelable: ReadonlySet<string> = new Set([
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
]);

const isUnexpectedState = (error: unknown) =>
  error instanceof Stripe.errors.StripeInvalidRequestError &&
  error.code === 'payment_intent_unexpected_state';
