import type { StaffRole } from '@keyturn/contract/staff';
import { isRefunding, sumOf } from './ports.ts';
import type { RefundRow } from './refund-row.ts';

/** How much of a payment staff may refund; pence. */
export interface RefundLimits {
  /** What one person alone may refund; above it, a second person has to approve. */
  refundApprovalPence: number;
  /** What handlers may request; someone in finance has to approve it in any case. */
  handlerRefundPence: number;
}

/** A staff member who asks for a refund, or approves one, at the desk. */
export interface RefundStaff {
  id: string;
  role: StaffRole;
}

/** Pence that were refunded on request of one person alone, so that several small refunds do not avoid the limit. */
const refundedByOnePerson = (rows: readonly RefundRow[]): number =>
  sumOf(
    rows.filter(
      ({ requestKey, approvedBy, status }) =>
        requestKey !== null && approvedBy === null && (isRefunding(status) || status === 'approved'),
    ),
  );

/** Pence that handlers have requested, unless it was rejected or failed. */
const requestedByHandlers = (rows: readonly RefundRow[]): number =>
  sumOf(
    rows.filter(
      ({ requestedByRole, status }) =>
        requestedByRole === 'handler' &&
        (isRefunding(status) || status === 'approved' || status === 'awaiting_approval'),
    ),
  );

/**
 * Returns what is left of the limit for the refunds of a payment: what a handler may still request, or what anyone else may
 * still refund alone. Pence; never negative.
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

/** Whether a refund needs a second person. */
export const needsSecondPerson = (
  rows: readonly RefundRow[],
  { amount, role }: { amount: number; role: StaffRole | null },
  limits: RefundLimits,
): boolean => role === 'handler' || amount > leftOfLimit(rows, limits, role);

/** Returns what can still be refunded: paid, less what was refunded and what is requested. Pence. */
export const leftToRefund = (
  { amount, refundedAmount }: { amount: number; refundedAmount: number },
  rows: readonly RefundRow[],
): number => amount - refundedAmount - requestedOf(rows);

/** Returns the pence of the requests that have not reached the provider. */
export const requestedOf = (rows: readonly RefundRow[]): number =>
  sumOf(rows.filter(({ status }) => status === 'awaiting_approval' || status === 'approved'));
