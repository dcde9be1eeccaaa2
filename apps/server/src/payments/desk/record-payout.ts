import type { PayoutFactName } from '@keyturn/contract/staff';
import { formatShortDay } from '@keyturn/format/dates';
import { londonDay } from '@keyturn/format/london-time';
import { byStaff, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { DomainError, notPossible } from '../../platform/domain-error.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import {
  findLaterArrival,
  lockPayout,
  type PayoutRow,
  sumOfPayout,
  updatePayout,
} from '../accounts/balance-store.ts';
import { type DeskCaller, nameOf } from './payment-actions.ts';

/**
 * Records the day of the bank statement with a payout, or of the transfer of what was taken from it or is the firm's; removes the
 * day with null. Idempotent.
 * @throws DomainError `not_found`, `invalid_input`, `edit_not_possible`
 */
export async function recordPayout(
  { database, clock }: { database: Database; clock: Clock },
  payoutId: string,
  { fact, on, former }: { fact: PayoutFactName; on: string | null; former: string | null },
  caller: DeskCaller,
): Promise<void> {
  const now = clock();
  await runTransaction(database, async (transaction) => {
    const payout = await lockPayout(transaction, payoutId);
    if (!payout) throw new DomainError('not_found');
    const recorded = recordedOf(payout, fact);
    if (recorded.on === on) return;
    if (recorded.on !== former) throw notPossible(whyChanged(recorded));
    if (on !== null) {
      if (recorded.on !== null) throw notPossible(whyChanged(recorded));
      checkDay(on, { from: londonDay(payout.createdAt), to: londonDay(now) });
      const obstacle = fact === 'matched' ? await whyNoMatch(transaction, payout, on) : whyNoTransfer(payout);
      if (obstacle) throw notPossible(obstacle);
    }
    const { staff } = caller;
    const found = on === null ? null : { on, by: nameOf(staff), byStaff: staff.id };
    await updatePayout(transaction, payout, fact, found);
    await recordAudit(transaction, {
      occurredAt: now,
      ...byStaff(caller),
      action: fact === 'matched' ? 'payment.payout_matched' : 'payment.payout_transferred',
      subject: { kind: 'installation', id: null },
      before: { on: recorded.on },
      after: { payout: payoutId, on },
    });
  });
}

const whyChanged = ({ on, by }: { on: string | null; by: string | null }): string =>
  on === null
    ? 'A colleague has removed this day meanwhile.'
    : `${by} has recorded ${formatShortDay(on)} already. Remove that day first.`;

const recordedOf = (
  { matchedOn, matchedBy, transferredOn, transferredBy }: PayoutRow,
  fact: PayoutFactName,
): { on: string | null; by: string | null } =>
  fact === 'matched' ? { on: matchedOn, by: matchedBy } : { on: transferredOn, by: transferredBy };

function checkDay(day: string, { from, to }: { from: string; to: string }): void {
  const error =
    day < from
      ? `The payout was made on ${formatShortDay(from)}. Enter that day or a later one.`
      : day > to && 'This day is in the future. Enter today or an earlier day.';
  if (error) throw new DomainError('invalid_input', { errors: { on: [error] } });
}

/** A failed payout is on the statement of the day on which its money arrived with a later one. */
async function whyNoMatch(transaction: Transaction, payout: PayoutRow, on: string): Promise<string | null> {
  const { status, itemisedAt, amount } = payout;
  if (status === 'pending') return 'The provider has not sent this payout yet.';
  if (status === 'cancelled') return 'This payout was cancelled, so it is not on a bank statement.';
  if (status === 'failed') {
    const arrival = await findLaterArrival(transaction, payout);
    if (arrival === null)
      return 'The bank returned this payout, and its money has not been paid out again yet.';
    if (on < arrival) {
      return `The bank returned this payout. Its money is in a later one, which arrives on ${formatShortDay(arrival)}.`;
    }
  }
  return itemisedAt !== null && (await sumOfPayout(transaction, payout)) !== amount
    ? 'This payout differs from the sum of its movements. Settle that first.'
    : null;
}

function whyNoTransfer({ toTransfer }: PayoutRow): string | null {
  if (toTransfer === null) return 'The provider has not listed what this payout contains yet.';
  return toTransfer === 0 ? 'Clients’ money in this payout is complete. There is nothing to move.' : null;
}
