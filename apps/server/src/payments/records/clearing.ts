import type { Payment } from '@keyturn/contract';
import { expectedClearingDay } from '@keyturn/format/working-days';
import type { PaymentRow } from './rows.ts';

/**
 * Returns when the money of a payment cleared or is expected to clear: according to the provider, or estimated in
 * working days.
 * @returns null for a payment that is not paid, or that is fully refunded
 */
export function clearingOf(
  payment: Pick<PaymentRow, 'paidAt' | 'status' | 'clearsOn' | 'clearedAt'>,
  bankHolidays: readonly string[],
): Payment['clearing'] {
  const { paidAt, status, clearsOn, clearedAt } = payment;
  if (!paidAt || status === 'refunded') return null;
  return { is_cleared: clearedAt !== null, on: clearsOn ?? expectedClearingDay(paidAt, bankHolidays) };
}
