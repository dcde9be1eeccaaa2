import type { ProviderIntentState } from '../../features/payments/ports.ts';
import {
  IdempotencyKeyConflict,
  IntentNotFound,
  type PaymentProvider,
  type ProviderEvent,
  type ProviderIntent,
  ProviderUnavailable,
} from '../../features/payments/ports.ts';
import type { SandboxIntents, StoredIntent } from './sandbox-intents.ts';
import { SandboxError } from './sandbox-intents.ts';
import { isSignedWebhook, signatureHeader } from './sandbox-signature.ts';

/** Creates the provider for the sandbox. */
export function createSandboxProvider(
  intents: SandboxIntents,
  webhookSecrets: readonly string[],
): PaymentProvider {
  return {
    name: 'sandbox',
    publishableKey: 'pk_sandbox',
    createIntent: async (terms) => toProviderIntent(await callSandbox(() => intents.create(terms))),
    listIntents: async (since) => (await callSandbox(() => intents.list(since))).map(toIntentState),
    retrieveIntent: async (intentId) => {
      const intent = await callSandbox(() => intents.find(intentId));
      if (!intent) throw new IntentNotFound(`the sandbox has no intent ${intentId}`);
      return toProviderIntent(intent);
    },
    cancelIntent: async (intentId) => {
      const intent = await callSandbox(() => intents.cancel(intentId));
      if (!intent) throw new IntentNotFound(`the sandbox has no intent ${intentId}`);
      return toProviderIntent(intent);
    },
    readWebhook: (body, headers, now) =>
      isSignedWebhook(body, headers[signatureHeader], webhookSecrets, now) ? readEvent(body) : null,
  };
}

/** The sandbox stores its intents in our database, so a failure there leaves the outcome unknown. */
async function callSandbox<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SandboxError) throw new IdempotencyKeyConflict(error.message);
    throw new ProviderUnavailable('the sandbox did not answer', { cause: error });
  }
}

const toProviderIntent = (intent: StoredIntent): ProviderIntent => ({
  ...toIntentState(intent),
  clientSecret: intent.client_secret,
});

const toIntentState = (intent: StoredIntent): ProviderIntentState => ({
  intentId: intent.id,
  status: intent.status === 'canceled' ? 'cancelled' : intent.status,
  amount: intent.amount,
  currency: intent.currency,
  paymentId: intent.metadata.payment_id ?? null,
  card:
    intent.card_brand && intent.card_last4 ? { brand: intent.card_brand, last4: intent.card_last4 } : null,
  error: intent.error_code ? { code: intent.error_code, message: intent.error_message ?? '' } : null,
  refundedAmount: 0,
  dispute: null,
  revision: intent.version,
});

function readEvent(body: Buffer): ProviderEvent | null {
  try {
    const event = JSON.parse(body.toString('utf8')) as Partial<Record<'id' | 'type' | 'intent', unknown>>;
    if (typeof event?.id !== 'string' || typeof event.type !== 'string') return null;
    return {
      id: event.id,
      type: event.type,
      intentId: typeof event.intent === 'string' ? event.intent : null,
      reportsDecline: event.type === 'payment_intent.payment_failed',
      body: event,
    };
  } catch {
    return null;
  }
}
