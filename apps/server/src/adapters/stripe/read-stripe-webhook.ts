import Stripe from 'stripe';
import type { ProviderEvent } from '../../features/payments/ports.ts';

/** Seconds that a signature may be old, or ahead of our clock. */
const tolerance = 300;

/**
 * Reads a webhook of Stripe's: signed with one of our secrets, not more than five minutes off either way, and of the
 * mode that we run in.
 * @param isLive whether our key is a live one
 * @returns null for every other
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
      // Not of this secret, too old, or no JSON.
    }
  }
  return null;
}

/** The SDK refuses what is old alone. It takes the last `t` that there is. */
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
    reportsDecline: event.type === 'payment_intent.payment_failed',
    // Stripe's own body holds the intent's client secret and the payer's name and address: none of it is kept.
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

/** Of intents themselves, and of the charges, refunds and disputes that name one. */
function intentOf(object: Record<string, unknown>): string | null {
  if (object.object === 'payment_intent') {
    // The firm may take other money with the same account: intents that no payment of ours made are none of ours.
    const isOurs = isRecord(object.metadata) && typeof object.metadata.payment_id === 'string';
    return isOurs && typeof object.id === 'string' ? object.id : null;
  }
  const intent = object.payment_intent;
  if (typeof intent === 'string') return intent;
  return isRecord(intent) && typeof intent.id === 'string' ? intent.id : null;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
