import type { StaffCallBody } from '@keyturn/contract/staff';
import { londonDay } from '@keyturn/format/london-time';
import { formatMoney } from '@keyturn/format/money';
import { payableSearches } from '../../case-file/searches/payable-searches.ts';
import { byStaff, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { DomainError, notPossible } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { reopenTransfers } from '../accounts/balance-store.ts';
import { storeTransfers } from '../accounts/read-ledger.ts';
import { awaitsPayerCheck } from '../records/payer-check.ts';
import { findPayment, lockPayment, updatePayment } from '../records/payments-store.ts';
import { requestedOf } from '../records/refund-limits.ts';
import { findRefunds } from '../records/refunds-store.ts';
import type { PaymentRow } from '../records/rows.ts';
import { type DeskCaller, nameOf } from './payment-actions.ts';

/**
 * Changes how much of the payment for a search repays the firm. What is to be moved for its payout is counted again. Idempotent.
 * @throws DomainError `not_found`, `invalid_input`, `edit_not_possible`
 */
export async function changeAllocation(
  { database, clock }: { database: Database; clock: Clock },
  paymentId: string,
  { office, reason, former }: StaffCallBody<'POST /staff/payments/{id}/allocation'>,
  caller: DeskCaller,
): Promise<void> {
  if (!isId(paymentId)) throw new DomainError('not_found');
  const { staff } = caller;
  const now = clock();
  await runTransaction(database, async (transaction) => {
    const found = await findPayment(transaction, paymentId);
    // Searches are always locked before their payment: another order could deadlock.
    if (found?.caseSearchId) await payableSearches.lockById(transaction, found.caseSearchId);
    const payment = await lockPayment(transaction, paymentId);
    if (!payment) throw new DomainError('not_found');
    const { allocation, amount } = payment;
    if (allocation?.office === office && allocation.reason === reason.trim()) return;
    const obstacle = whyNoAllocation(payment);
    if (obstacle) throw notPossible(obstacle);
    if (requestedOf(await findRefunds(transaction, [paymentId])) > 0)
      throw notPossible('A refund of this payment is waiting. This can change once that is rejected.');
    const before = allocation?.office ?? 0;
    if (before !== former) {
      throw notPossible(
        `${formatMoney(before)} repays the firm now: it was changed meanwhile. Reload the page to see why.`,
      );
    }
    const error =
      office > amount
        ? `Enter at most ${formatMoney(amount)}, which is the whole payment.`
        : office > 0 &&
          awaitsPayerCheck(payment) &&
          'This money must not be used before the check of who paid it is recorded.';
    if (error) throw new DomainError('invalid_input', { errors: { office: [error] } });
    await updatePayment(transaction, paymentId, {
      lastCause: 'allocation_changed',
      allocation: {
        office,
        cause: 'finance',
        reason: reason.trim(),
        decided_by: nameOf(staff),
        decided_by_staff: staff.id,
        decided_at: now.toISOString(),
      },
    });
    await recordAudit(transaction, {
      occurredAt: now,
      ...byStaff(caller),
      action: 'payment.allocated',
      subject: { kind: 'payment', id: paymentId },
      before: { office_amount: before },
      after: { office_amount: office, reason: reason.trim() },
    });
    if (office === before) return;
    await reopenTransfers(transaction, payment);
    await storeTransfers(transaction, londonDay(now));
  });
}

/** Explains why finance cannot change whose money a payment is; null if it can. */
export function whyNoAllocation({
  caseSearchId,
  clearedAt,
  refundedAmount,
  amount,
  disputeStatus,
}: PaymentRow): string | null {
  if (caseSearchId === null) return 'Only the payment for a search is allocated here.';
  if (clearedAt === null) return 'The money has not cleared yet.';
  if (refundedAmount >= amount || disputeStatus === 'lost')
    return 'None of the money of this payment is left.';
  // A refund takes its parts from the decision that holds when it is made.
  return refundedAmount > 0
    ? 'Some of this payment was refunded, so whose money it is no longer changes here. Correct it in your own ledger.'
    : null;
}
