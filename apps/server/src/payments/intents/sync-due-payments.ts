import { IntentNotFound, type ProviderChoice, ProviderUnavailable } from '../ports/provider.ts';
import { knownAccountIds, withProviderOf } from '../provider/find-provider.ts';
import { findIntentsToCheck, type IntentToCheck, scheduleNextIntentCheck } from '../records/checks-store.ts';
import { closeEvents, ignoreUnknownIntent } from '../records/events-store.ts';
import { nextCheckTime } from './next-check.ts';
import { type SyncDependencies, syncPaymentFromProvider } from './sync-payment.ts';

/** The maximum number of intents that one round checks. */
const batchSize = 500;

/**
 * Syncs every intent that is due for a check, in case webhooks were lost. An intent that cannot be synced raises an
 * alert and is retried later; it does not delay the others. A round ends early when the provider is unavailable.
 * @param signal ends the round before the next intent
 */
export async function syncDuePayments(
  dependencies: SyncDependencies & ProviderChoice,
  signal?: AbortSignal,
): Promise<void> {
  const { database, provider, clock, alertOperator } = dependencies;
  const due = await findIntentsToCheck(database, {
    provider: provider.name,
    accountIds: provider.knownAccountId() === null ? null : knownAccountIds(dependencies),
    now: clock(),
    limit: batchSize,
  });
  for (const intent of due) {
    // The remaining intents stay due, and the next round starts with them.
    if (signal?.aborted) return;
    const { intentId, accountId, quietSince, clearsOn } = intent;
    let isUnavailable = false;
    try {
      const own = withProviderOf(dependencies, { provider: provider.name, providerAccountId: accountId });
      const { decision } = await syncPaymentFromProvider(own, intentId, { name: 'reconciliation' });
      if (decision === undefined) await closeOldEvents(dependencies, intent);
    } catch (error) {
      isUnavailable = error instanceof ProviderUnavailable;
      if (error instanceof IntentNotFound && (await ignoreUnknownIntent(dependencies, intentId))) continue;
      if (!isUnavailable) {
        alertOperator('a payment could not be synced from the provider', {
          intent: intentId,
          reason: error instanceof Error ? error.message : String(error),
        });
      }
    }
    const at = nextCheckTime(clock(), quietSince, clearsOn);
    await scheduleNextIntentCheck(database, { provider: provider.name, intentId, at });
    if (isUnavailable) return;
  }
}

/**
 * The time, in milliseconds, after which the payment of an event will not appear any more, because payments are
 * stored before their intents are created.
 */
const maxWaitForPayment = 7 * 24 * 3_600_000;

/** Closes the events of an intent without a payment, so that the provider is not called about it for ever. */
async function closeOldEvents(
  { database, provider, clock }: SyncDependencies,
  { intentId, quietSince }: IntentToCheck,
): Promise<void> {
  const now = clock();
  if (now.getTime() - quietSince.getTime() < maxWaitForPayment) return;
  await closeEvents(database, { provider: provider.name, intentId, receivedUntil: now }, 'ignored');
}
