import type { JobHandler } from '../../platform/jobs.ts';
import { syncPaymentFromProvider } from '../intents/sync-payment.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { type PaymentProvider, ProviderUnavailable } from '../ports/provider.ts';
import type { ListedRefund } from '../ports/refunds.ts';
import { forEachProvider } from '../provider/find-provider.ts';
import { findFirstPaymentDate } from '../records/payments-store.ts';
import { isLaterStatus } from '../records/refund-states.ts';
import {
  findOldPendingRefunds,
  findPaidPaymentsOfIntents,
  findProviderRefunds,
  findRefundsToSubmit,
  findRefundTotalMismatches,
  readListedUntil,
  storeListedUntil,
} from '../records/refunds-store.ts';
import { submitRefund } from './submit-refund.ts';

/** Milliseconds. A bank can return a refund weeks after it was made. */
const lookBack = 60 * 86_400_000;
/** The time, in milliseconds, after which a request that has not reached the provider counts as interrupted. */
const interruptedAfter = 60_000;

/** Finds refunds whose webhooks were lost, and submits requests that were interrupted, every ten minutes. */
export const syncRefundsHandler = (dependencies: PaymentDependencies): JobHandler => ({
  name: 'sync-refunds',
  schedule: '*/10 * * * *',
  work: () => syncRefunds(dependencies),
});

/**
 * Finds refunds with lost webhooks: lists the provider's refunds by their own dates, even for old payments, and syncs
 * payments with unrecorded or changed refunds. Then submits interrupted requests.
 * @throws ProviderUnavailable
 */
export async function syncRefunds(dependencies: PaymentDependencies): Promise<void> {
  await forEachProvider(dependencies, syncRefundsOf);
}

async function syncRefundsOf(dependencies: PaymentDependencies): Promise<void> {
  const { database, provider, clock, alertOperator } = dependencies;
  const now = clock();
  const listedUntil = await readListedUntil(database, provider.name);
  const first = listedUntil ?? (await findFirstPaymentDate(database, provider.name)) ?? now;
  const since = new Date(Math.min(first.getTime(), now.getTime()) - lookBack);
  const intentIds = new Set([
    ...(await findChangedIntents(dependencies, await provider.listRefunds(since))),
    ...(await findIntentsToRecheck(dependencies, provider, since)),
  ]);
  const attempt = async (work: () => Promise<unknown>, details: Record<string, unknown>) => {
    try {
      await work();
    } catch (error) {
      if (error instanceof ProviderUnavailable) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      alertOperator('refunds could not be synced from the provider', { ...details, reason });
    }
  };
  for (const intentId of intentIds) {
    const sync = () => syncPaymentFromProvider(dependencies, intentId, { name: 'reconciliation' });
    await attempt(sync, { intent: intentId });
  }
  const before = new Date(now.getTime() - interruptedAfter);
  for (const { id } of await findRefundsToSubmit(database, { provider: provider.name, before })) {
    await attempt(() => submitRefund(dependencies, id), { refund: id });
  }
  await storeListedUntil(database, provider.name, now);
}

/** The intents of our payments that have a refund which is not recorded, or has a later status than ours. */
async function findChangedIntents(
  { database, provider }: PaymentDependencies,
  listed: readonly ListedRefund[],
): Promise<string[]> {
  const payments = await findPaidPaymentsOfIntents(database, {
    provider: provider.name,
    intentIds: listed.map(({ intentId }) => intentId),
  });
  const rows = await findProviderRefunds(
    database,
    payments.map(({ id }) => id),
  );
  const ours = new Set(payments.map(({ intentId }) => intentId));
  const statuses = new Map(rows.map(({ providerRefundId, status }) => [providerRefundId, status]));
  const isChanged = ({ intentId, refundId, status }: ListedRefund) => {
    const recorded = statuses.get(refundId);
    return ours.has(intentId) && (recorded === undefined || isLaterStatus(recorded, status));
  };
  return listed.filter(isChanged).map(({ intentId }) => intentId);
}

/**
 * Finds the intents with a refund that has been pending for longer than the listed period, or with totals that differ
 * from their refunds.
 */
async function findIntentsToRecheck(
  { database }: PaymentDependencies,
  { name }: PaymentProvider,
  before: Date,
): Promise<string[]> {
  const pending = await findOldPendingRefunds(database, { provider: name, before });
  const mismatches = await findRefundTotalMismatches(database);
  return [...pending, ...mismatches.filter(({ provider }) => provider === name)].flatMap(({ intentId }) =>
    intentId === null ? [] : [intentId],
  );
}
