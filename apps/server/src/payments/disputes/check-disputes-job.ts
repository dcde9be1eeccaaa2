import type { JobHandler } from '../../platform/jobs.ts';
import { isPaused } from '../continuity/continuity.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { forEachProvider } from '../provider/find-provider.ts';
import { findDisputes } from './find-disputes.ts';
import { findNewFraudWarnings, findNewReviews } from './record-fraud-signals.ts';
import { remindOfDisputes } from './remind-of-disputes.ts';

/** Checks disputes, early fraud warnings and reviews every hour, and reminds the operator of deadlines. */
export const checkDisputesHandler = (dependencies: PaymentDependencies): JobHandler => ({
  name: 'check-disputes',
  schedule: '22 * * * *',
  work: () => checkDisputes(dependencies),
});

/**
 * Finds disputes, early fraud warnings and reviews with lost webhooks at every provider, updates those that can still
 * change, and sends the reminders that are due. While payments are paused after a restore, it only reminds.
 * @throws Error the first failure, after everything else was done
 */
export async function checkDisputes(dependencies: PaymentDependencies): Promise<void> {
  const failures: unknown[] = [];
  // After a restore, disputes may belong to payments that are not recovered yet.
  const isOpen = await dependencies.continuity.checkOpen().then(() => true, orFalseIfPaused);
  for (const find of isOpen ? [findDisputes, findNewFraudWarnings, findNewReviews] : []) {
    await forEachProvider(dependencies, find).catch((error: unknown) => failures.push(error));
  }
  // Runs after the updates, because an answered dispute needs no reminder.
  await remindOfDisputes(dependencies);
  if (failures.length > 0) throw failures[0];
}

function orFalseIfPaused(error: unknown): false {
  if (isPaused(error)) return false;
  throw error;
}
