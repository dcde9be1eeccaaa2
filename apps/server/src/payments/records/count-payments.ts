import { count } from 'drizzle-orm';
import type { Database } from '../../platform/database.ts';
import { paymentChanges, providerEvents } from '../../schema/tables/payment-tables.ts';

/** Counts the status changes of all payments by their kind. New payments come from the status `none`. */
export async function countPaymentTransitions(database: Database) {
  const { fromStatus, toStatus } = paymentChanges;
  const rows = await database
    .select({ from: fromStatus, to: toStatus, value: count() })
    .from(paymentChanges)
    .groupBy(fromStatus, toStatus);
  return rows.map(({ from, to, value }) => ({ labels: { from: from ?? 'none', to }, value }));
}

/** Counts the received webhooks by provider and outcome. */
export async function countWebhooks(database: Database) {
  const { provider, outcome } = providerEvents;
  const rows = await database
    .select({ provider, outcome, value: count() })
    .from(providerEvents)
    .groupBy(provider, outcome);
  return rows.map(({ value, ...row }) => ({
    labels: { provider: row.provider, outcome: row.outcome ?? 'open' },
    value,
  }));
}
