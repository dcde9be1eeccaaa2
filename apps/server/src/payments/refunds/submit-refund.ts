import { runTransaction } from '../../platform/run-transaction.ts';
import { applyProviderIntent, type SyncDependencies } from '../intents/sync-payment.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { IdempotencyKeyConflict, type PaymentProvider } from '../ports/provider.ts';
import type { RefundReason } from '../ports/refunds.ts';
import { type ProviderRefund, RefundRefused } from '../ports/refunds.ts';
import { findProviderOf } from '../provider/find-provider.ts';
import { findPayment, lockPayment } from '../records/payments-store.ts';
import { findRefund, replaceRefundKey, updateRefund } from '../records/refunds-store.ts';
import type { RefundRow } from '../records/rows.ts';

/** The cause of changes by a request, for the record. */
const cause = { name: 'refund_submitted' };

/**
 * Makes an approved refund at the provider, once: an interrupted call is repeated with the same key, and an existing
 * refund at the provider is found by the request in its metadata. Idempotent.
 * @returns our current row, which is still `approved` only if a concurrent call is submitting it
 * @throws ProviderUnavailable if it is unknown whether the refund was made; the periodic check submits it again
 */
export async function submitRefund(dependencies: PaymentDependencies, refundId: string): Promise<RefundRow> {
  const row = await readRefund(dependencies, refundId);
  const payment = await findPayment(dependencies.database, row.paymentId);
  const provider = payment && findProviderOf(dependencies, payment);
  const intentId = payment?.providerIntentId;
  if (!provider || !intentId) throw new Error(`payment ${row.paymentId} cannot be refunded at its provider`);
  const submission = { dependencies: { ...dependencies, provider }, intentId, refundId };
  // An earlier call may have reached the provider long ago, before its key expired.
  const known = await syncRefund(submission);
  if (known.status !== 'approved') return known;
  try {
    return await createAndSync(submission, provider, known);
  } catch (error) {
    if (!(error instanceof IdempotencyKeyConflict)) throw error;
    const found = await syncRefund(submission);
    if (found.status !== 'approved') return found;
    await replaceRefundKey(dependencies.database, found);
    return createAndSync(submission, provider, await readRefund(dependencies, refundId));
  }
}

interface Submission {
  dependencies: PaymentDependencies & SyncDependencies;
  intentId: string;
  refundId: string;
}

async function createAndSync(
  submission: Submission,
  provider: PaymentProvider,
  { id, amount, reason, providerIdempotencyKey }: RefundRow,
): Promise<RefundRow> {
  const { intentId } = submission;
  try {
    const made = await provider.createRefund({
      intentId,
      requestId: id,
      amount,
      reason: reason as RefundReason,
      idempotencyKey: providerIdempotencyKey ?? '',
    });
    return await syncRefund(submission, made);
  } catch (error) {
    if (!(error instanceof RefundRefused)) throw error;
    const found = await syncRefund(submission);
    return found.status === 'approved' ? markRefused(submission, error.code) : found;
  }
}

/** Applies the provider's state of the intent, including the refund in its latest answer. @returns our current row */
async function syncRefund(
  { dependencies, intentId, refundId }: Submission,
  made?: ProviderRefund,
): Promise<RefundRow> {
  const askedAt = dependencies.clock();
  const intent = await dependencies.provider.retrieveIntent(intentId);
  const isListed = intent.refunds.some((refund) => refund.refundId === made?.refundId);
  const refunds = made && !isListed ? [...intent.refunds, made] : intent.refunds;
  await applyProviderIntent(dependencies, { intent: { ...intent, refunds }, askedAt }, cause);
  return readRefund(dependencies, refundId);
}

/** Records that the provider permanently refused the refund, and alerts the operator. */
async function markRefused({ dependencies, refundId }: Submission, code: string): Promise<RefundRow> {
  const { database, alertOperator } = dependencies;
  const { paymentId, amount } = await readRefund(dependencies, refundId);
  const refused = await runTransaction(database, async (transaction) => {
    await lockPayment(transaction, paymentId);
    const row = await findRefund(transaction, refundId);
    if (row?.status !== 'approved') return row;
    const change = { status: 'rejected', failureReason: code, lastCause: 'refund_refused' } as const;
    return updateRefund(transaction, refundId, change);
  });
  alertOperator('the provider refused a refund: nothing was paid back', {
    payment: paymentId,
    refund: refundId,
    amount,
    reason: code,
  });
  return refused ?? readRefund(dependencies, refundId);
}

async function readRefund({ database }: PaymentDependencies, id: string): Promise<RefundRow> {
  const row = await findRefund(database, id);
  if (!row) throw new Error(`refund ${id} does not exist`);
  return row;
}
