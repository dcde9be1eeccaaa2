import { statementSuffix } from '@keyturn/format/statement-descriptor';
import Stripe from 'stripe';
import type { IntentTerms, ProviderIntent, ProviderIntentState } from '../../payments/ports/intents.ts';
import { fromMetadata, type LabelledIntent, toMetadata } from '../../payments/ports/intents.ts';
import { MethodNotOffered, type PaymentProvider } from '../../payments/ports/provider.ts';
import { type Clock, systemClock } from '../../platform/clock.ts';
import { createAccountReader } from './account.ts';
import { createStripeBalance } from './balance.ts';
import { createStripeDisputes, listDisputesOfIntent } from './disputes.ts';
import { readStripeWebhook } from './read-stripe-webhook.ts';
import { createRefund, listStripeRefunds } from './refunds.ts';
import { toProviderError } from './to-provider-error.ts';
import { intentStatusOf, toProviderIntent } from './to-provider-intent.ts';

export interface StripeOptions {
  /** By default the account that pays into the client account. */
  name?: 'stripe' | 'stripe_business';
  /** Secret or restricted key, in live or test mode. */
  secretKey: string;
  publishableKey: string;
  /** The id of the account, for a key that may not read it; null or undefined: the key may. */
  accountId?: string | null;
  /** The current secret, and during a rotation the other one too: both are accepted. */
  webhookSecrets: readonly string[];
  /** The address of a Stripe API such as `http://127.0.0.1:12111`; null for Stripe itself. */
  apiBase: string | null;
  /** The timeout of an attempt, in milliseconds. */
  timeout?: number;
  clock?: Clock;
}

/** The API version of this adapter, regardless of the account's default. */
const apiVersion = '2026-10-28.endive';

/**
 * The fields to expand. The charge contains the card, the refunds and the day on which its money becomes available.
 */
const expand = ['latest_charge.balance_transaction', 'latest_charge.refunds', 'payment_method'];

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
  const withProviderErrors = async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await call();
    } catch (error) {
      throw toProviderError(error);
    }
  };
  const request = (call: () => Promise<Stripe.PaymentIntent>): Promise<ProviderIntent> =>
    withProviderErrors(async () => convertIntent(stripe, await call(), account.statementPrefix()));
  const account = createAccountReader(stripe, {
    isLive,
    accountId: options.accountId ?? null,
    clock: options.clock ?? systemClock,
  });
  return {
    ...createStripeDisputes(stripe),
    name: options.name ?? 'stripe',
    publishableKey: options.publishableKey,
    createIntent: (terms) => request(() => createIntent(stripe, terms, account.statementPrefix())),
    listIntents: (since) => withProviderErrors(() => listIntents(stripe, since, account.statementPrefix())),
    ...createStripeBalance(stripe),
    listIntentLabels: (since) => withProviderErrors(() => listIntentLabels(stripe, since)),
    labelIntent: (intentId, labels) =>
      withProviderErrors(async () => {
        await stripe.paymentIntents.update(intentId, { metadata: { ...labels } });
      }),
    readAccountId: () => withProviderErrors(account.read),
    knownAccountId: account.known,
    acceptsBankPayments: account.acceptsBankPayments,
    retrieveIntent: (intentId) => request(() => stripe.paymentIntents.retrieve(intentId, { expand })),
    cancelIntent: (intentId) => request(() => cancelIntent(stripe, intentId)),
    createRefund: (terms) => createRefund(stripe, terms),
    listRefunds: (since) => listStripeRefunds(stripe, since),
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

/** Converts an intent, and reads what its charge does not contain: disputes, and refunds after the first ten. */
async function convertIntent(
  stripe: Stripe,
  intent: Stripe.PaymentIntent,
  statementPrefix: string | null,
): Promise<ProviderIntent> {
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null;
  const disputes = charge?.disputed ? await listDisputesOfIntent(stripe, intent.id) : [];
  const refunds = charge?.refunds?.has_more
    ? await stripe.refunds.list({ charge: charge.id, limit: 100 }).autoPagingToArray({ limit: 10_000 })
    : (charge?.refunds?.data ?? []);
  return toProviderIntent(intent, { disputes, refunds, statementPrefix });
}

async function createIntent(stripe: Stripe, terms: IntentTerms, statementPrefix: string | null) {
  const intent = await stripe.paymentIntents.create(
    {
      amount: terms.amount,
      currency: terms.currency,
      description: terms.description,
      metadata: { ...toMetadata(terms) },
      ...methodParams(terms, statementPrefix),
    },
    { idempotencyKey: terms.idempotencyKey },
  );
  const type = terms.method === 'bank' ? 'pay_by_bank' : 'card';
  // Stripe drops a method that does not fit the amount, the currency or the account, without an error.
  if (intent.payment_method_types.includes(type)) return intent;
  await cancelIntent(stripe, intent.id);
  throw new MethodNotOffered(`Stripe does not offer ${type} for this amount, currency or account`);
}

/**
 * Returns the parameters of an intent that differ between payments by card and by bank. Stripe refuses the list of allowed
 * methods together with `automatic_payment_methods` or any other choice of methods.
 */
function methodParams(
  { method, statement }: IntentTerms,
  statementPrefix: string | null,
): Partial<Stripe.PaymentIntentCreateParams> {
  // The bank's page is always on another site. The browser sends the URL to which it redirects.
  if (method === 'bank') {
    return { allowed_payment_method_types: ['pay_by_bank'] };
  }
  const suffix = statement ? statementSuffix(statement.caseReference, statementPrefix) : null;
  return {
    ...(suffix ? { statement_descriptor_suffix: suffix } : {}),
    // Only cards: no methods that settle days later.
    allowed_payment_method_types: ['card'],
  };
}

async function listIntents(
  stripe: Stripe,
  since: Date,
  statementPrefix: string | null,
): Promise<ProviderIntentState[]> {
  const listed: ProviderIntentState[] = [];
  const pages = stripe.paymentIntents.list({
    created: { gte: Math.floor(since.getTime() / 1000) },
    limit: 100,
    expand: expand.map((path) => `data.${path}`),
  });
  for await (const intent of pages) {
    // The firm may use the same account for other payments.
    if (intent.metadata.payment_id === undefined) continue;
    const { clientSecret: _secret, ...facts } = await convertIntent(stripe, intent, statementPrefix);
    listed.push(facts);
  }
  return listed;
}

async function listIntentLabels(stripe: Stripe, since: Date): Promise<LabelledIntent[]> {
  const listed: LabelledIntent[] = [];
  const pages = stripe.paymentIntents.list({
    created: { gte: Math.floor(since.getTime() / 1000) },
    limit: 100,
  });
  for await (const intent of pages) {
    if (intent.metadata.payment_id === undefined) continue;
    listed.push({
      ...fromMetadata(intent.metadata),
      intentId: intent.id,
      status: intentStatusOf(intent),
      amount: intent.amount,
      description: intent.description ?? '',
      createdAt: new Date(intent.created * 1000),
    });
  }
  return listed;
}

/** Cancels an intent that waits for the payer. @returns the intent, cancelled or not */
async function cancelIntent(stripe: Stripe, intentId: string): Promise<Stripe.PaymentIntent> {
  const intent = await stripe.paymentIntents.retrieve(intentId, { expand });
  if (!cancelable.has(intent.status)) return intent;
  try {
    return await stripe.paymentIntents.cancel(intentId, { expand });
  } catch (error) {
    // The payer has paid meanwhile.
    if (isUnexpectedState(error)) return stripe.paymentIntents.retrieve(intentId, { expand });
    throw error;
  }
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
