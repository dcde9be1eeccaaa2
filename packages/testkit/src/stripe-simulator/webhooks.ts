import { createHmac } from 'node:crypto';
import type { TestClock } from '../test-clock.ts';
import type { StoredEvent } from './events.ts';

/** An event that waits for delivery. */
export interface StripeEvent {
  id: string;
  type: string;
  body: string;
}

/** Stripe's webhooks, which the test delivers in any order, late, repeatedly or not at all. */
export interface StripeWebhooks {
  /** Oldest first. A test may remove, reorder and repeat them. */
  readonly waiting: StripeEvent[];
  /**
   * Posts an event as Stripe does.
   * @param signing by default the account's secret and the clock's time
   * @returns the status of the product's response
   */
  deliver(url: string, event: StripeEvent, signing?: { secret?: string; at?: Date }): Promise<number>;
  /** @returns the value of `stripe-signature` */
  sign(body: string, signing?: { secret?: string; at?: Date }): string;
}

export function createWebhooks(
  clock: TestClock,
  secret: string,
): StripeWebhooks & { add(event: StoredEvent): void } {
  const waiting: StripeEvent[] = [];
  const sign: StripeWebhooks['sign'] = (body, signing = {}) => {
    const time = Math.floor((signing.at ?? clock()).getTime() / 1000);
    const mac = createHmac('sha256', signing.secret ?? secret).update(`${time}.${body}`);
    return `t=${time},v1=${mac.digest('hex')}`;
  };
  return {
    waiting,
    sign,
    deliver: async (url, { body }, signing) => {
      const headers = { 'content-type': 'application/json', 'stripe-signature': sign(body, signing) };
      return (await fetch(url, { method: 'POST', headers, body })).status;
    },
    add: (event) => void waiting.push({ id: event.id, type: event.type, body: JSON.stringify(event) }),
  };
}
