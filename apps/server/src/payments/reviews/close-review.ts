import { DomainError } from '../../platform/domain-error.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { createIntent } from '../intents/create-intent.ts';
import { syncPaymentFromProvider } from '../intents/sync-payment.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import type { ProviderIntent } from '../ports/intents.ts';
import { IntentNotFound, ProviderRefused } from '../ports/provider.ts';
import { findProviderOf } from '../provider/find-provider.ts';
import { isWithoutMoney } from '../records/payment-states.ts';
import { findPayment, updatePayment } from '../records/payments-store.ts';
import type { PaymentRow } from '../records/rows.ts';

/**
 * The operator's decision that closes the review of a payment.
 * - `sync`: the intent was corrected at the provider; the payment adopts the provider's state
 * - `paid`: the right amount was captured, so the payment is paid even if the intent names another payment
 * - `cancel`: no money is kept for the payment; the intent is cancelled, and the search can be paid again
 */
export type ReviewDecision = 'sync' | 'paid' | 'cancel';

/**
 * Closes the review of a payment. `sync` and `cancel` also work for an open payment that is not under review.
 * @returns the current payment
 * @throws DomainError `review_still_open`; ProviderUnavailable
 */
export async function closeReview(
  dependencies: PaymentDependencies,
  paymentId: string,
  decision: ReviewDecision,
): Promise<PaymentRow> {
  const payment = await findPayment(dependencies.database, paymentId);
  if (!payment) throw stillOpen('There is no such payment.');
  const provider = findProviderOf(dependencies, payment);
  if (!provider) {
    const reason = `${payment.provider} cannot be called without its keys. Set them first.`;
    return closeWithoutProvider(dependencies, payment, { decision, reason });
  }

  const atProvider = { ...dependencies, provider };
  const found = await findIntent(atProvider, payment);
  if (!found.intent) return closeWithoutProvider(atProvider, payment, { decision, reason: found.reason });
  const { intent } = found;
  const { intentId } = intent;
  if (decision === 'paid') checkIsPaid(payment, intent);
  if (decision === 'cancel') await cancelIntent(atProvider, payment, intent);

  if (payment.reviewReason !== null) await clearReviewReason(atProvider, payment, decision);
  if (decision === 'cancel' && payment.status !== 'cancelled' && payment.paidAt === null) {
    await updatePayment(atProvider.database, payment.id, {
      status: 'cancelled',
      lastCause: 'cancelled_by_operator',
    });
  } else {
    const syncing =
      decision === 'paid'
        ? { ...atProvider, provider: { ...provider, retrieveIntent: retrieveAs(payment, provider) } }
        : atProvider;
    await syncPaymentFromProvider(syncing, intentId, { name: `review_closed_${decision}` });
  }
  const closed = (await findPayment(atProvider.database, payment.id)) ?? payment;
  if (closed.reviewReason !== null) {
    throw stillOpen(`The intent still does not match: ${closed.reviewReason}.`);
  }
  return closed;
}

/** @returns the intent of a payment, or the reason why the provider has none */
async function findIntent(
  dependencies: PaymentDependencies,
  payment: PaymentRow,
): Promise<{ intent: ProviderIntent } | { intent: null; reason: string }> {
  const { provider } = dependencies;
  try {
    return { intent: await provider.retrieveIntent((await createIntent(dependencies, payment)).intentId) };
  } catch (error) {
    if (error instanceof IntentNotFound) return { intent: null, reason: describeMissing(payment, provider) };
    if (error instanceof ProviderRefused) return { intent: null, reason: `${error.message}.` };
    throw error;
  }
}

/** Describes where the intent of a payment is missing, and what the operator can do. */
function describeMissing(
  { providerIntentId, providerAccountId }: PaymentRow,
  { name, knownAccountId }: PaymentDependencies['provider'],
): string {
  const account = knownAccountId();
  const missing = `${name} has no intent ${providerIntentId}${account ? ` at account ${account}` : ''}`;
  const owner =
    providerAccountId !== null && providerAccountId !== account
      ? `It was created at account ${providerAccountId}: set the keys of that account to read it.`
      : 'It may belong to another account, or to the other mode (test or live).';
  return `${missing}. ${owner} If no money was captured for it, use cancel.`;
}

/** Cancels a payment with an unreadable intent, because an operator has checked at the provider. */
async function closeWithoutProvider(
  { database }: PaymentDependencies,
  payment: PaymentRow,
  { decision, reason }: { decision: ReviewDecision; reason: string },
): Promise<PaymentRow> {
  if (decision !== 'cancel' || payment.paidAt !== null) throw stillOpen(reason);
  return updatePayment(database, payment.id, {
    status: 'cancelled',
    reviewReason: null,
    lastCause: 'cancelled_by_operator',
  });
}

function checkIsPaid(payment: PaymentRow, intent: ProviderIntent): void {
  if (payment.status === 'cancelled') {
    throw stillOpen(
      'The payment is cancelled, and another one may have replaced it. Refund the money at the provider, then use cancel.',
    );
  }
  if (intent.status !== 'succeeded') {
    throw stillOpen(`No money was captured: the intent is ${intent.status}.`);
  }
  if (intent.amount !== payment.amount || intent.currency !== payment.currency) {
    throw stillOpen(
      `The provider captured ${intent.amount} ${intent.currency}, not ${payment.amount} ${payment.currency}. Refund it at the provider, then use cancel.`,
    );
  }
}

async function cancelIntent(
  { provider }: PaymentDependencies,
  payment: PaymentRow,
  intent: ProviderIntent,
): Promise<void> {
  if (payment.paidAt !== null) {
    throw stillOpen('The payment is paid. Refund it at the provider, then use sync.');
  }
  const belongsToAnotherPayment = intent.paymentId !== payment.id && intent.paymentId !== null;
  if (belongsToAnotherPayment) return;
  const after = await provider.cancelIntent(intent.intentId);
  if (isWithoutMoney(after)) return;
  const { status } = after;
  throw stillOpen(
    status === 'succeeded'
      ? 'The provider has captured the money. Refund all of it there first.'
      : `The intent cannot be cancelled at the moment: it is ${status}.`,
  );
}

/** Retrieves an intent as if its metadata named this payment: the operator has decided that it does. */
const retrieveAs =
  ({ id }: PaymentRow, provider: PaymentDependencies['provider']) =>
  async (intentId: string): Promise<ProviderIntent> => ({
    ...(await provider.retrieveIntent(intentId)),
    paymentId: id,
  });

const clearReviewReason = (
  { database }: PaymentDependencies,
  payment: PaymentRow,
  decision: ReviewDecision,
) =>
  runTransaction(database, (transaction) =>
    updatePayment(transaction, payment.id, { reviewReason: null, lastCause: `review_closed_${decision}` }),
  );

/** @param message why the review stays open, and what to do */
const stillOpen = (message: string) => new DomainError('review_still_open', { message });
