import { setTimeout as pause } from 'node:timers/promises';
import { runUntilKnown } from './operations/firm-operations.ts';
import type { WebhookDelivery } from './system/deliver-webhooks.ts';
import { runPeriodicJobs, waitForPeriodicJobs } from './system/periodic-jobs.ts';
import type { World } from './system/start-system.ts';

/** Completes delayed card payments at the provider, and completes or fails payments by bank. */
export interface Bank {
  /** Completes every payment and every refund under way. */
  settle(): void;
  stop(): void;
}

export function startBank({ simulator, unfunded }: World): Bank {
  const settlePayments = () => {
    for (const { id, status } of simulator.intents.all()) {
      if (status !== 'processing') continue;
      if (unfunded.delete(id)) simulator.intents.failToSettle(id);
      else simulator.intents.settle(id);
    }
  };
  const timer = setInterval(settlePayments, 300);
  return {
    settle: () => {
      settlePayments();
      for (const { id, status } of simulator.refunds.all()) {
        if (status === 'pending' || status === 'requires_action') simulator.refunds.succeed(id);
      }
    },
    stop: () => clearInterval(timer),
  };
}

const minute = 60_000;

/** Delivers pending events, decides open refund requests, and advances time until nothing is pending. */
export async function settleWorld(world: World, webhookDelivery: WebhookDelivery, bank: Bank): Promise<void> {
  bank.settle();
  await rejectOpenRequests(world);
  await webhookDelivery.finish();
  for (let round = 0; round < 40; round += 1) {
    // Events about a payment that a restore has removed are closed after a week.
    const jumped = (round < 4 ? 100 : 25 * 60) * minute;
    world.jump(jumped);
    await runPeriodicJobs(world, jumped);
    await waitForPeriodicJobs(world);
    await pause(500);
    bank.settle();
    if (round >= 1 && !(await somethingWaits(world))) return;
  }
}

/** Refund requests without a decision, because the second person's command was not answered. */
async function rejectOpenRequests(world: World): Promise<void> {
  const { rows } = await world.pool.query<{ id: string }>(
    "select id from refunds where status = 'awaiting_approval'",
  );
  for (const { id } of rows) {
    await runUntilKnown(world, { name: 'reject refund', refundId: id, reason: 'Not decided' });
  }
}

async function somethingWaits({ pool }: World): Promise<boolean> {
  const { rows } = await pool.query<{ waits: boolean }>(`select
    exists (select 1 from payments where status in ('requires_payment_method', 'requires_action', 'processing'))
    or exists (select 1 from refunds where status in ('approved', 'pending', 'requires_action'))
    or exists (select 1 from payment_continuity where closed_at is not null)
    or exists (select 1 from provider_events where outcome is null or outcome = 'unmatched') as waits`);
  return rows[0]?.waits ?? true;
}
