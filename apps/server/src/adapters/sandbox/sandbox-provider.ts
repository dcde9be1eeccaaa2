import { londonDay } from '@keyturn/format/london-time';
import type { ProviderBalance } from '../../payments/ports/balance.ts';
import type { FraudSubject } from '../../payments/ports/disputes.ts';
import type { ProviderIntent, ProviderIntentState } from '../../payments/ports/intents.ts';
import { fromMetadata } from '../../payments/ports/intents.ts';
import {
  IdempotencyKeyConflict,
  IntentNotFound,
  type PaymentProvider,
  type ProviderEvent,
  ProviderUnavailable,
} from '../../payments/ports/provider.ts';
import type { ProviderRefund } from '../../payments/ports/refunds.ts';
import { RefundRefused } from '../../payments/ports/refunds.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SandboxDisputes, StoredDispute } from './sandbox-disputes.ts';
import type { SandboxIntents } from './sandbox-intents.ts';
import { isSignedWebhook, signatureHeader } from './sandbox-signature.ts';
import type { StoredRefund, StoredSandboxIntent } from './stored-intent.ts';
import { createSandboxDisputesPort, fromSandboxDispute } from './to-provider-dispute.ts';

/** Creates the provider for the sandbox. */
export function createSandboxProvider(
  intents: SandboxIntents,
  balance: ProviderBalance,
  webhookSecrets: readonly string[],
  clock: Clock,
  disputes: SandboxDisputes,
): PaymentProvider {
  const toStates = async (found: StoredSandboxIntent[]): Promise<ProviderIntentState[]> => {
    const disputed = await callSandbox(() => disputes.ofIntents(found.map(({ id }) => id)));
    return found.map((intent) =>
      toIntentState(
        intent,
        disputed.filter(({ intent_id }) => intent_id === intent.id),
        clock(),
      ),
    );
  };
  const toProviderIntent = async (intent: StoredSandboxIntent): Promise<ProviderIntent> => {
    const [state] = await toStates([intent]);
    return { ...(state as ProviderIntentState), clientSecret: intent.client_secret };
  };
  return {
    ...createSandboxDisputesPort(disputes, callSandbox),
    name: 'sandbox',
    publishableKey: 'pk_sandbox',
    createIntent: async (terms) => toProviderIntent(await callSandbox(() => intents.create(terms))),
    listIntents: async (since) => toStates(await callSandbox(() => intents.list(since))),
    listBalanceTransactions: (query) => callSandbox(() => balance.listBalanceTransactions(query)),
    listPayouts: (since) => callSandbox(() => balance.listPayouts(since)),
    readAvailable: balance.readAvailable,
    listIntentLabels: async (since) =>
      (await callSandbox(() => intents.list(since))).map((intent) => ({
        ...fromMetadata(intent.metadata),
        ...toIntentState(intent, [], clock()),
        description: '',
        createdAt: intent.created_at,
      })),
    labelIntent: (intentId, labels) => callSandbox(() => intents.label(intentId, labels)),
    readAccountId: async () => 'sandbox',
    knownAccountId: () => 'sandbox',
    acceptsBankPayments: () => true,
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
    createRefund: async ({ intentId, requestId, amount, reason, idempotencyKey }) =>
      toProviderRefund(
        await callSandbox(() => intents.refund(intentId, { amount, reason, requestId, idempotencyKey })),
      ),
    listRefunds: async (since) =>
      (await callSandbox(() => intents.listRefunds(since))).map((refund) => ({
        ...toProviderRefund(refund),
        intentId: refund.intent_id,
      })),
    readWebhook: (body, headers, now) =>
      isSignedWebhook(body, headers[signatureHeader], webhookSecrets, now) ? readEvent(body) : null,
  };
}

/** The sandbox stores its intents in our database, so a failure there leaves the outcome unknown. */
async function callSandbox<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isProviderError(error)) throw error;
    throw new ProviderUnavailable('the sandbox did not answer', { cause: error });
  }
}

const isProviderError = (error: unknown) =>
  error instanceof RefundRefused ||
  error instanceof IdempotencyKeyConflict ||
  error instanceof IntentNotFound;

const toIntentState = (
  intent: StoredSandboxIntent,
  disputes: StoredDispute[],
  now: Date,
): ProviderIntentState => ({
  intentId: intent.id,
  status: intent.status === 'canceled' ? 'cancelled' : intent.status,
  amount: intent.amount,
  currency: intent.currency,
  paymentId: intent.metadata.payment_id ?? null,
  installationId: intent.metadata.installation_id ?? null,
  clientId: intent.metadata.client_id ?? null,
  capturedAt: intent.captured_at,
  card:
    intent.card_brand && intent.card_last4 ? { brand: intent.card_brand, last4: intent.card_last4 } : null,
  // No money moves, so no statement ever shows a sandbox payment.
  statementDescriptor: intent.captured_at ? null : intent.statement_descriptor,
  error: intent.error_code ? { code: intent.error_code, message: intent.error_message ?? '' } : null,
  refunds: intent.refunds.map(toProviderRefund),
  clearing: intent.available_at && {
    on: londonDay(intent.available_at),
    isCleared: intent.available_at <= now,
  },
  disputes: disputes.map(fromSandboxDispute),
  revision: intent.version,
});

const toProviderRefund = (refund: StoredRefund): ProviderRefund => ({
  refundId: refund.id,
  requestId: refund.metadata.refund_id ?? null,
  amount: refund.amount,
  status: refund.status === 'canceled' ? 'cancelled' : refund.status,
  reason: refund.reason,
  failureReason: refund.failure_reason,
  createdAt: new Date(refund.created_at),
});

function readEvent(body: Buffer): ProviderEvent | null {
  try {
    const event = JSON.parse(body.toString('utf8')) as Partial<
      Record<'id' | 'type' | 'intent' | 'subject', unknown>
    >;
    if (typeof event?.id !== 'string' || typeof event.type !== 'string') return null;
    if (!isStorable(event)) return null;
    return {
      id: event.id,
      type: event.type,
      intentId: typeof event.intent === 'string' ? event.intent : null,
      reportsDecline: event.type === 'payment_intent.payment_failed',
      ...(isFraudSubject(event.subject) ? { fraudSubject: event.subject } : {}),
      body: event,
    };
  } catch {
    return null;
  }
}

/** PostgreSQL can store neither NUL nor lone surrogates, which JSON escapes. */
const isStorable = (value: unknown): boolean => !/\\u(?:0000|d[89a-f])/i.test(JSON.stringify(value));

function isFraudSubject(value: unknown): value is FraudSubject {
  const { kind, id } = (value ?? {}) as Partial<FraudSubject>;
  return (kind === 'fraud_warning' || kind === 'review') && typeof id === 'string';
}
