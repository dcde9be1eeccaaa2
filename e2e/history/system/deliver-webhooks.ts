import { setTimeout as pause } from 'node:timers/promises';
import type { StripeEvent } from '@keyturn/testkit/stripe-simulator/webhooks.ts';
import type { HistoryEntry } from '../history.ts';
import { seededRandom } from '../plan-run.ts';
import type { World } from './start-system.ts';
import { within } from './within.ts';

/** Delivers Stripe's events late, twice at the same time, out of order, forged or never. */
export interface WebhookDelivery {
  /** Delivers the late events, not the dropped ones. Resolves when none are left. */
  finish(): Promise<void>;
}

export function startWebhookDelivery(
  { servers, simulator, clock }: World,
  seed: number,
  record: (entry: HistoryEntry) => void,
): WebhookDelivery {
  const random = seededRandom(seed + 1);
  const late: StripeEvent[] = [];
  let underWay = 0;
  let over = false;

  const randomServerUrl = () =>
    `${servers[Math.floor(random() * servers.length)]?.url()}/api/webhooks/stripe`;
  const post = (event: StripeEvent, signing?: { secret?: string; at?: Date }) =>
    simulator.webhooks.deliver(randomServerUrl(), event, signing).catch(() => 0);
  /** Like Stripe, retries until the response is 200. */
  const deliver = async (event: StripeEvent) => {
    underWay += 1;
    if ((await post(event)) !== 200) late.push(event);
    underWay -= 1;
  };
  const forge = async (event: StripeEvent, signing: { secret?: string; at?: Date }) => {
    underWay += 1;
    record({ type: 'forgery', status: await post(event, signing) });
    underWay -= 1;
  };

  const decide = (event: StripeEvent) => {
    const draw = random();
    // Some events of every type are never delivered.
    if (draw < 0.12) return;
    if (draw < 0.3) return void late.push(event);
    if (draw < 0.4) {
      void deliver(event);
      late.push(event);
    } else if (draw < 0.45) {
      void forge(event, { secret: 'whsec_forged' });
    } else if (draw < 0.5) {
      void forge(event, { at: new Date(clock().getTime() - 301_000) });
    }
    void deliver(event);
  };

  const walk = async () => {
    while (!over || simulator.webhooks.waiting.length > 0) {
      for (const event of simulator.webhooks.waiting.splice(0)) decide(event);
      // Late events are delivered in any order, a few at a time.
      if (late.length > 0 && random() < 0.3) {
        const [event] = late.splice(Math.floor(random() * late.length), 1);
        if (event) void deliver(event);
      }
      await pause(10);
    }
  };
  const walking = walk();

  return {
    finish: async () => {
      over = true;
      const deliverLate = async () => {
        await walking;
        while (late.length > 0 || underWay > 0) {
          for (const event of late.splice(0, 20)) void deliver(event);
          await pause(20);
        }
      };
      await within(300, 'Delivering the late webhooks', deliverLate(), () =>
        late.map(({ type }) => type).join(', '),
      );
    },
  };
}
