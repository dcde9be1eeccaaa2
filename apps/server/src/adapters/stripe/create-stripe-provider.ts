import Stripe from 'stripe';
import type { PaymentProvider, ProviderIntent, ProviderIntentState } from '../../features/payments/ports.ts';
import { readStripeWebhook } from './read-stripe-webhook.ts';
import { toProviderError } from './to-provider-error.ts';
import { toProviderIntent } from './to-provider-intent.ts';

export interface StripeOptions {
  /** Secret or restricted key, in live or test mode. */
  secretKey: string;
  publishableKey: string;
  /** The current secret, and during a change the other one: each is accepted. */
  webhookSecrets: readonly string[];
  /** The address of a Stripe API such as `http://127.0.0.1:12111`; null for Stripe itself. */
  apiBase: string | null;
  /** Milliseconds that one attempt may take. */
  timeout?: number;
}

/** The API version that this adapter is written for, whatever the account's default is. */
const apiVersion = '2026-10-28.endive';

/** What to expand: the charge contains the card and the refunds. */
const expand = ['latest_charge', 'payment_method'];

/** Creates the provider for Stripe. Card data goes from the browser to Stripe and never reaches this server. */
export function createStripeProvider(options: StripeOptions): PaymentProvider {
  const stripe = new Stripe(options.secretKey, {
    ...hostOf(options.apiBase),
    apiVersion,
    timeout: options.timeout ?? 10_000,
    maxNetworkRetries: 2,
    telemetry: false,
    appInfo: { name: 'Keyturn' },
  });
  const isLive = /^(sk|rk)_live_/.test(options.secretKey);
  const retrieve = (intentId: string) => stripe.paymentIntents.retrieve(intentId, { expand });

  const convert = async (intent: Stripe.PaymentIntent): Promise<ProviderIntent> => {
    const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null;
    const disputes = charge?.disputed
      ? (await stripe.disputes.list({ payment_intent: intent.id, limit: 100 })).data
      : [];
    return toProviderIntent(intent, disputes);
  };
  const request = async (call: () => Promise<Stripe.PaymentIntent>): Promise<ProviderIntent> => {
    try {
      return await convert(await call());
    } catch (error) {
      throw toProviderError(error);
    }
  };

  return {
    name: 'stripe',
    publishableKey: options.publishableKey,
    createIntent: (terms) =>
      request(() =>
        stripe.paymentIntents.create(
          {
            amount: terms.amount,
            currency: terms.currency,
            description: terms.description,
            metadata: { payment_id: terms.paymentId, case_id: terms.caseId, kind: terms.kind },
            // Only cards, with the bank's check in the page: no methods that settle days later or redirect.
            allowed_payment_method_types: ['card'],
            automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
            expand,
          },
          { idempotencyKey: terms.idempotencyKey },
        ),
      ),
    listIntents: async (since) => {
      const listed: ProviderIntentState[] = [];
      const filter = { created: { gte: Math.floor(since.getTime() / 1000) }, limit: 100 };
      try {
        const pages = stripe.paymentIntents.list({ ...filter, expand: ['data.latest_charge'] });
        for await (const intent of pages) {
          // The firm may use the same account for other payments.
          if (intent.metadata.payment_id === undefined) continue;
          const { clientSecret: _secret, ...facts } = await convert(intent);
          listed.push(facts);
        }
        return listed;
      } catch (error) {
        throw toProviderError(error);
      }
    },
    retrieveIntent: (intentId) => request(() => retrieve(intentId)),
    cancelIntent: (intentId) =>
      request(async () => {
        const intent = await retrieve(intentId);
        if (!cancelable.has(intent.status)) return intent;
        try {
          return await stripe.paymentIntents.cancel(intentId, { expand });
        } catch (error) {
          // The payer paid in the meantime.
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

function hostOf(apiBase: string | null) {
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
