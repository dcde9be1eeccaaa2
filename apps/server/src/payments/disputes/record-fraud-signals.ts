import type { Transaction } from '../../platform/database.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { describeFraudType, describeReviewOutcome } from '../intents/dispute-alerts.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import type { FraudSubject, ProviderFraudWarning, ProviderReview } from '../ports/disputes.ts';
import { isStale } from '../records/dispute-states.ts';
import { findCaseReference } from '../records/disputes-store.ts';
import { lockPaymentOfIntent } from '../records/intents-store.ts';
import type { PaymentRow } from '../records/rows.ts';
import { lookUp, ownObjects } from './find-disputes.ts';
import {
  findActionableWarningIds,
  findFraudWarning,
  findOpenReviewIds,
  findReview,
  storeFraudWarning,
  storeReview,
} from './fraud-store.ts';

type Dependencies = Pick<
  PaymentDependencies,
  'database' | 'provider' | 'clock' | 'alertOperator' | 'installationId'
>;

/**
 * Asks the provider about an early fraud warning or a review, and records its state. Idempotent.
 * @throws ProviderUnavailable
 */
export async function syncFraudSubject(
  dependencies: Dependencies,
  { kind, id }: FraudSubject,
): Promise<void> {
  const { provider, clock } = dependencies;
  const askedAt = clock();
  if (kind === 'fraud_warning') {
    const warning = await provider.retrieveFraudWarning(id);
    if (warning) await recordFraudWarning(dependencies, warning, askedAt);
  } else {
    const review = await provider.retrieveReview(id);
    if (review) await recordReview(dependencies, review, askedAt);
  }
}

/**
 * Finds the early fraud warnings since the last lookup, and updates those that can still be acted on.
 * @throws ProviderUnavailable
 */
export async function findNewFraudWarnings(dependencies: Dependencies): Promise<void> {
  const { database, provider, clock } = dependencies;
  await lookUp(dependencies, 'fraud_warning', async (since) => {
    const askedAt = clock();
    const listed = await provider.listFraudWarnings(since);
    for (const warning of await ownObjects(dependencies, listed, ({ warningId }) => warningId)) {
      await recordFraudWarning(dependencies, warning, askedAt);
    }
    const isListed = (id: string) => listed.some(({ warningId }) => warningId === id);
    for (const id of await findActionableWarningIds(database, provider.name)) {
      if (!isListed(id)) await syncFraudSubject(dependencies, { kind: 'fraud_warning', id });
    }
  });
}

/**
 * Finds the reviews that the provider has opened since the last lookup, and updates those that are open here.
 * @throws ProviderUnavailable
 */
export async function findNewReviews(dependencies: Dependencies): Promise<void> {
  const { database, provider, clock } = dependencies;
  await lookUp(dependencies, 'review', async (since) => {
    const askedAt = clock();
    const listed = await provider.listReviews(since);
    for (const review of await ownObjects(dependencies, listed, ({ reviewId }) => reviewId)) {
      await recordReview(dependencies, review, askedAt);
    }
    const isListed = (id: string) => listed.some(({ reviewId }) => reviewId === id);
    for (const id of await findOpenReviewIds(database, provider.name)) {
      if (!isListed(id)) await syncFraudSubject(dependencies, { kind: 'review', id });
    }
  });
}

async function recordFraudWarning(
  dependencies: Dependencies,
  { warningId: providerWarningId, intentId, ...warning }: ProviderFraudWarning,
  askedAt: Date,
): Promise<void> {
  await withPayment(dependencies, intentId, async (transaction, payment) => {
    const { provider } = payment;
    const before = await findFraudWarning(transaction, { provider, providerWarningId });
    if (before && isStale(before, askedAt, dependencies.clock())) return;
    await storeFraudWarning(transaction, {
      ...warning,
      paymentId: payment.id,
      provider,
      providerWarningId,
      observedAt: askedAt,
    });
    if (before || !warning.isActionable) return;
    dependencies.alertOperator(
      'the card’s bank suspects fraud: consider a refund before the payment is disputed',
      {
        payment: payment.id,
        case: await findCaseReference(transaction, payment.caseId),
        warning: providerWarningId,
        amount: payment.amount - payment.refundedAmount,
        reason: describeFraudType(warning.fraudType),
        action:
          'find out whether the client made this payment; if not, refund it: that saves the dispute and its fee',
      },
    );
  });
}

async function recordReview(
  dependencies: Dependencies,
  { reviewId: providerReviewId, intentId, ...review }: ProviderReview,
  askedAt: Date,
): Promise<void> {
  await withPayment(dependencies, intentId, async (transaction, payment) => {
    const { provider } = payment;
    const before = await findReview(transaction, { provider, providerReviewId });
    if (before && isStale(before, askedAt, dependencies.clock())) return;
    await storeReview(transaction, {
      ...review,
      paymentId: payment.id,
      provider,
      providerReviewId,
      observedAt: askedAt,
    });
    if (before ? before.isOpen === review.isOpen : !review.isOpen) return;
    dependencies.alertOperator(
      review.isOpen
        ? 'the provider holds a payment for review: approve it there, or refund it'
        : 'the provider’s review of a payment is closed',
      {
        payment: payment.id,
        case: await findCaseReference(transaction, payment.caseId),
        review: providerReviewId,
        amount: payment.amount,
        reason: review.isOpen ? openedReasonOf(review) : describeReviewOutcome(review.closedReason),
        action: review.isOpen
          ? 'do not order anything with this money until the review is closed'
          : 'nothing',
      },
    );
  });
}

const openedReasonOf = ({ openedReason }: Pick<ProviderReview, 'openedReason'>) =>
  openedReason === 'manual' ? 'it was opened by hand' : 'a fraud rule of the provider opened it';

/** Runs work with the payment of an intent locked; does nothing for an intent of another installation. */
async function withPayment(
  { database, provider }: Dependencies,
  intentId: string,
  work: (transaction: Transaction, payment: PaymentRow) => Promise<void>,
): Promise<void> {
  await runTransaction(database, async (transaction) => {
    const payment = await lockPaymentOfIntent(transaction, {
      provider: provider.name,
      intentId,
      paymentId: null,
    });
    if (payment) await work(transaction, payment);
  });
}
