import { DomainError } from '../../platform/domain-error.ts';
import type { PaymentRow } from '../records/rows.ts';

/**
 * Checks that a payment can still be made.
 * @param acceptsPayment whether its search, bill or purpose can be paid at the moment
 * @throws DomainError `payment_under_review`, `already_paid`, `not_payable`
 */
export function checkCanBePaid(payment: PaymentRow | undefined, acceptsPayment: boolean): void {
  if (payment?.reviewReason) throw new DomainError('payment_under_review');
  if (payment?.paidAt) throw new DomainError('already_paid');
  if (payment?.status === 'cancelled' || !acceptsPayment) throw new DomainError('not_payable');
}

/**
 * Checks that a payment was cancelled as requested.
 * @throws DomainError `payment_under_review`, `already_paid`, `payment_being_checked`
 */
export function checkIsCancelled(payment: PaymentRow): void {
  if (payment.reviewReason !== null) throw new DomainError('payment_under_review');
  if (payment.paidAt) throw new DomainError('already_paid');
  if (payment.status !== 'cancelled') throw new DomainError('payment_being_checked');
}
