import type { PayoutFactName } from '@keyturn/contract/staff';
import { formatShortDay } from '@keyturn/format/dates';
import { londonDay } from '@keyturn/format/london-time';
import type { AuditedBy } from '../../platform/audit/audit-entry.ts';
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

/** The member, or the key of the firm’s ledger, that records a day. */
interface Recorder {
  name: string;
  staffId: string | null;
  audited: AuditedBy;
}

/**
 * Records the day of the bank statement with a payout, or of the transfer of what was taken from it or is the firm’s, for a member;
 * removes the day with null. Idempotent.
 * @throws DomainError `not_found`, `invalid_input`, `edit_not_possible`
 */
export async function recordPayout(
  { database, clock }: { database: Database; clock: Clock },
  payoutId: string,
  day: { fact: PayoutFactName; on: string | null; former: string | null },
  caller: DeskCaller,
): Promise<void> {
  const { staff } = caller;
  const by = { name: nameOf(staff), staffId: staff.id, audited: byStaff(caller) };
  await runTransaction(database, (transaction) =>
    storePayoutDay(transaction, payoutId, { ...day, field: 'on', now: clock() }, by),
  );
}

/**
 * Stores a day of a payout, or removes it with null.
 * @param day.former the stored day that the caller has seen; undefined for one that sees none
 * @param day.field the name of the day in the request
 * @returns whether the day was stored or removed; false if it already was
 * @throws DomainError `not_found`, `invalid_input`, `edit_not_possible`
 */
export async function storePayoutDay(
  transaction: Transaction,
  payoutId: string,
  day: { fact: PayoutFactName; on: string | null; former?: string | null; field: string; now: Date },
  by: Recorder,
): Promise<boolean> {
  const { fact, on, field, now } = day;
  const payout = await lockPayout(transaction, payoutId);
  if (!payout) throw new DomainError('not_found');
  const recorded = recordedOf(payout, fact);
  if (recorded.on === on) return false;
  if (day.former !== undefined && recorded.on !== day.former) throw notPossible(whyChanged(recorded));
  if (on === null && by.staffId === null && recorded.byStaff !== null) throw notPossible(whyKept(recorded));
  if (on !== null) {
    if (recorded.on !== null) throw notPossible(whyChanged(recorded));
    checkDay(on, { from: londonDay(payout.createdAt), to: londonDay(now), field });
    const obstacle = fact === 'matched' ? await whyNoMatch(transaction, payout, on) : whyNoTransfer(payout);
    if (obstacle) throw notPossible(obstacle);
  }
  const found = on === null ? null : { on, by: by.name, byStaff: by.staffId };
  await updatePayout(transaction, payout, fact, found);
  await recordAudit(transaction, {
    occurredAt: now,
    ...by.audited,
    action: fact === 'matched' ? 'payment.payout_matched' : 'payment.payout_transferred',
    subject: { kind: 'installation', id: null },
    before: { on: recorded.on },
    after: { payout: payoutId, on },
  });
  return true;
}

const whyChanged = ({ on, by }: { on: string | null; by: string | null }): string =>
  on === null
    ? 'A colleague has removed this day meanwhile.'
    : `${by} has recorded ${formatShortDay(on)} already. Remove that day first.`;

const whyKept = ({ by }: { by: string | null }): string =>
  `${by} recorded this day at the desk. Only a member can remove it, there.`;

const recordedOf = (
  payout: PayoutRow,
  fact: PayoutFactName,
): { on: string | null; by: string | null; byStaff: string | null } =>
  fact === 'matched'
    ? { on: payout.matchedOn, by: payout.matchedBy, byStaff: payout.matchedByStaff }
    : { on: payout.transferredOn, by: payout.transferredBy, byStaff: payout.transferredByStaff };

function checkDay(day: string, { from, to, field }: { from: string; to: string; field: string }): void {
  const error =
    day < from
      ? `The payout was made on ${formatShortDay(from)}. Enter that day or a later one.`
      : day > to && 'This day is in the future. Enter today or an earlier day.';
  if (error) throw new DomainError('invalid_input', { errors: { [field]: [error] } });
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
