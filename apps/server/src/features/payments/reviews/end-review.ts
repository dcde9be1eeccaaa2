import { runTransaction } from '../../../platform/run-transaction.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import type { ProviderIntent } from '../ports.ts';
import { ensureIntentId } from '../provider/ensure-intent.ts';
import { findProvider } from '../provider/find-provider.ts';
import { syncPaymentFromProvider } from '../provider/sync-payment.ts';
import type { PaymentRow } from '../records/payment-row.ts';
import { findPayment, updatePayment } from '../records/payments-store.ts';

/**
 * How a person ends the review of a payment.
 * - `ask`: what was wrong was mended at the provider; the payment takes over what the provider says now
 * - `paid`: the money is there, in the right amount, whatever else the intent says
 * - `give-up`: no money is kept for it; the intent is ended, and what it was for can be paid anew
 */
export type ReviewEnd = 'ask' | 'paid' | 'give-up';

/** Why a review does not end so, in words for whoever asked. */
export class ReviewGoesOn extends Error {
  override name = 'ReviewGoesOn';
}

/**
 * Ends the review of a payment. `ask` and `give-up` do for any other payment as well: to learn of it at once, and to
 * end one that is open.
 * @returns how it stands after
 * @throws ReviewGoesOn, ProviderUnavailable, IntentNotFound
 */
export async function endReview(
  dependencies: PaymentDependencies,
  paymentId: string,
  end: ReviewEnd,
): Promise<PaymentRow> {
  const payment = await findPayment(dependencies.database, paymentId);
  if (!payment) throw new ReviewGoesOn('There is no such payment.');
  const provider = findProvider(dependencies, payment.provider);
  if (!provider) return endWithoutAsking(dependencies, payment, end);

  const own = { ...dependencies, provider };
  const intentId = await ensureIntentId(own, payment);
  const intent = await provider.retrieveIntent(intentId);
  if (end === 'paid') checkIsPaid(payment, intent);
  if (end === 'give-up') await endAtProvider(own, payment, intent);

  const accepts =
    end === 'paid' ? { ...own, provider: { ...provider, retrieveIntent: named(own, payment) } } : own;
  if (payment.reviewReason !== null) await close(own, payment, end);
  if (end === 'give-up' && payment.status !== 'cancelled' && payment.paidAt === null) {
    await updatePayment(own.database, payment.id, { status: 'cancelled', lastCause: 'given_up_by_a_person' });
  } else {
    await syncPaymentFromProvider(accepts, intentId, { name: `review_ended_${end}` });
  }
  const after = (await findPayment(own.database, payment.id)) ?? payment;
  if (after.reviewReason !== null) throw new ReviewGoesOn(`It still differs: ${after.reviewReason}.`);
  return after;
}

/** Nobody can be asked any more: a person who has looked at the provider may still say that no money is there. */
async function endWithoutAsking(
  { database }: PaymentDependencies,
  payment: PaymentRow,
  end: ReviewEnd,
): Promise<PaymentRow> {
  if (end !== 'give-up' || payment.paidAt !== null) {
    throw new ReviewGoesOn(`${payment.provider} cannot be asked: set its keys first.`);
  }
  return updatePayment(database, payment.id, {
    status: 'cancelled',
    reviewReason: null,
    lastCause: 'given_up_by_a_person',
  });
}

function checkIsPaid(payment: PaymentRow, intent: ProviderIntent): void {
  if (payment.status === 'cancelled') {
    throw new ReviewGoesOn(
      'It was given up, and another payment may have taken its place: give the money back at the provider, then give-up.',
    );
  }
  if (intent.status !== 'succeeded')
    throw new ReviewGoesOn(`No money is there: the intent is ${intent.status}.`);
  if (intent.amount !== payment.amount || intent.currency !== payment.currency) {
    throw new ReviewGoesOn(
      `${intent.amount} ${intent.currency} were taken, not ${payment.amount} ${payment.currency}: give them back at the provider, then give-up.`,
    );
  }
}

async function endAtProvider(
  { provider }: PaymentDependencies,
  payment: PaymentRow,
  intent: ProviderIntent,
): Promise<void> {
  if (payment.paidAt !== null)
    throw new ReviewGoesOn('It is paid: give the money back at the provider, then ask.');
  // Of another payment: it is not ours to end.
  if (intent.paymentId !== payment.id && intent.paymentId !== null) return;
  const after = await provider.cancelIntent(intent.intentId);
  if (after.status === 'cancelled') return;
  if (after.status === 'succeeded' && after.refundedAmount >= after.amount) return;
  throw new ReviewGoesOn(
    after.status === 'succeeded'
      ? 'Its money is at the provider: give all of it back there first.'
      : `It cannot be ended at the moment: the intent is ${after.status}.`,
  );
}

/** The intent as the provider has it, under the name of this payment. */
const named =
  ({ provider }: PaymentDependencies, { id }: PaymentRow) =>
  async (intentId: string): Promise<ProviderIntent> => ({
    ...(await provider.retrieveIntent(intentId)),
    paymentId: id,
  });

const close = (dependencies: PaymentDependencies, payment: PaymentRow, end: ReviewEnd) =>
  runTransaction(dependencies.database, (transaction) =>
    updatePayment(transaction, payment.id, { reviewReason: null, lastCause: `review_ended_${end}` }),
  );
