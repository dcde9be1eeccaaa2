import Stripe from 'stripe';
import type { FraudSubject } from '../../payments/ports/disputes.ts';
import type { ProviderEvent } from '../../payments/ports/provider.ts';

/** Seconds by which a signature may be older or newer than our clock. */
const tolerance = 300;

/**
 * Verifies and reads a webhook from Stripe: signed with one of our secrets, at most five minutes off, and of our mode.
 * @param webhook.isLive whether our key is a live key
 * @returns null for any other webhook
 */
export function readStripeWebhook(webhook: {
  body: Buffer;
  header: string | string[] | undefined;
  secrets: readonly string[];
  isLive: boolean;
  now: Date;
}): ProviderEvent | null {
  const { header, now } = webhook;
  if (typeof header !== 'string' || isAhead(header, now)) return null;
  for (const secret of webhook.secrets) {
    try {
      const event: unknown = Stripe.webhooks.constructEvent(
        webhook.body,
        header,
        secret,
        tolerance,
        undefined,
        now.getTime(),
      );
      return asProviderEvent(event, webhook.isLive);
    } catch {
      // Signed with another secret, too old, or not JSON.
    }
  }
  return null;
}

/** Whether the signature is too far in the future: the SDK only rejects old ones. */
function isAhead(header: string, now: Date): boolean {
  const times = header.split(',').filter((item) => item.trim().startsWith('t='));
  return times.some((item) => !(Number(item.trim().slice(2)) <= now.getTime() / 1000 + tolerance));
}

function asProviderEvent(event: unknown, isLive: boolean): ProviderEvent | null {
  if (!isRecord(event) || typeof event.id !== 'string' || typeof event.type !== 'string') return null;
  if (event.livemode !== isLive) return null;
  const object = isRecord(event.data) && isRecord(event.data.object) ? event.data.object : {};
  const intentId = intentOf(object);
  return {
    id: event.id,
    type: event.type,
    intentId,
    // Charges have the metadata of their intent; refunds and disputes do not.
    installationId:
      isRecord(object.metadata) && typeof object.metadata.installation_id === 'string'
        ? object.metadata.installation_id
        : null,
    reportsDecline: event.type === 'payment_intent.payment_failed',
    ...fraudSubjectOf(object),
    // The original body contains the client secret and the payer's name and address, which must not be stored.
    body: {
      id: event.id,
      type: event.type,
      created: event.created ?? null,
      api_version: event.api_version ?? null,
      object: object.object ?? null,
      object_id: object.id ?? null,
      status: object.status ?? null,
      payment_intent: intentId,
    },
  };
}

/** Finds the intent of an event about an intent, or about a charge, refund or dispute of one. */
function intentOf(object: Record<string, unknown>): string | null {
  if (object.object === 'payment_intent') {
    // The firm may use the same account for other payments, whose intents have no metadata of ours.
    const isOurs = isRecord(object.metadata) && typeof object.metadata.payment_id === 'string';
    return isOurs && typeof object.id === 'string' ? object.id : null;
  }
  const intent = object.payment_intent;
  if (typeof intent === 'string') return intent;
  return isRecord(intent) && typeof intent.id === 'string' ? intent.id : null;
}

/** Returns the id of the early fraud warning or review that an event is about; nothing for other events. */
function fraudSubjectOf({ object, id }: Record<string, unknown>): { fraudSubject?: FraudSubject } {
  if (typeof id !== 'string') return {};
  if (object === 'radar.early_fraud_warning') return { fraudSubject: { kind: 'fraud_warning', id } };
  return object === 'review' ? { fraudSubject: { kind: 'review', id } } : {};
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
