import type { StaffRole } from '@keyturn/contract/staff';
import { allocatedLines } from './allocated-lines.ts';
import { type MoneyParts, partsAfter, partsOf } from './money-parts.ts';
import { hasRefundFailed, isRefunding, sumOf } from './refund-states.ts';
import type { PaymentRow, RefundRow } from './rows.ts';

/** The limits of refunds by staff for each payment, in pence. */
export interface RefundLimits {
  /** The amount that one person may refund alone; above it, a second person must approve. */
  refundApprovalPence: number;
  /** The amount that handlers may request; a member of finance must always approve it. */
  handlerRefundPence: number;
}

/** A staff member who requests or approves a refund at the desk. */
export interface RefundStaff {
  id: string;
  role: StaffRole;
}

/**
 * Returns the amount, in pence, of refunds by a single person, so that several small refunds cannot avoid the limit.
 */
const refundedByOnePerson = (rows: readonly RefundRow[]): number =>
  sumOf(
    rows.filter(
      ({ requestKey, approvedBy, status }) =>
        requestKey !== null && approvedBy === null && (isRefunding(status) || status === 'approved'),
    ),
  );

/** Returns the amount, in pence, that handlers have requested, without rejected and failed requests. */
const requestedByHandlers = (rows: readonly RefundRow[]): number =>
  sumOf(
    rows.filter(
      ({ requestedByRole, status }) =>
        requestedByRole === 'handler' &&
        (isRefunding(status) || status === 'approved' || status === 'awaiting_approval'),
    ),
  );

/**
 * Returns the rest of the limit for the refunds of a payment: the amount that a handler may still request, or that
 * anyone else may still refund alone. In pence; never negative.
 * @param rows every refund of the payment
 * @param role null for a command
 */
export function leftOfLimit(
  rows: readonly RefundRow[],
  limits: RefundLimits,
  role: StaffRole | null,
): number {
  const left =
    role === 'handler'
      ? limits.handlerRefundPence - requestedByHandlers(rows)
      : limits.refundApprovalPence - refundedByOnePerson(rows);
  return Math.max(left, 0);
}

/** Only finance decides about the money of another person, which may have to be reported before it moves. */
export const mayRequestRefund = ({ ownCard }: { ownCard: boolean | null }, role: StaffRole | null): boolean =>
  ownCard !== false || role !== 'handler';

/** Whether a refund needs a second person. */
export const needsSecondPerson = (
  rows: readonly RefundRow[],
  { amount, role }: { amount: number; role: StaffRole | null },
  limits: RefundLimits,
): boolean => role === 'handler' || amount > leftOfLimit(rows, limits, role);

/** Returns the refundable amount: paid, less refunded and requested amounts. In pence. */
export const leftToRefund = (
  { amount, refundedAmount }: { amount: number; refundedAmount: number },
  rows: readonly RefundRow[],
): number => amount - refundedAmount - requestedOf(rows);

/**
 * Returns what is left of a payment with both client money and the firm's, in pence: less refunds that have not failed, and requests.
 * @param rows every refund of the payment, oldest first
 * @returns null for a payment that is not mixed
 */
export function partsLeft(
  { lines: stored, amount, allocation }: Pick<PaymentRow, 'lines' | 'amount' | 'allocation'>,
  rows: readonly RefundRow[],
): MoneyParts | null {
  const lines = allocatedLines(stored, allocation);
  const whole = partsOf(lines, amount);
  if (whole.client === 0 || whole.office === 0) return null;
  const counted = rows.filter(({ status }) => !hasRefundFailed(status) && status !== 'rejected');
  return partsAfter(lines, amount, counted);
}

/** Returns the pence of the requests that have not reached the provider. */
export const requestedOf = (rows: readonly RefundRow[]): number =>
  sumOf(rows.filter(({ status }) => status === 'awaiting_approval' || status === 'approved'));
