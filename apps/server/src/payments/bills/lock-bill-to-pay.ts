import type { OtherPaymentBody } from '@keyturn/contract';
import { leavesTooLittle, tooLittleLeft } from '@keyturn/format/bill-parts';
import { formatMoney } from '@keyturn/format/money';
import type { Transaction } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { grossOf, paidOf, payableOf } from './bill-amounts.ts';
import { type BillWithPayments, lockBillOfCase } from './bills-store.ts';

/**
 * Locks the bill that a request pays for, and checks that the amount is left to pay. Concurrent payments of the same
 * bill wait for each other.
 * @param minAmount the least that can be paid at once, in pence: a smaller rest could never be paid here
 * @param isStarted whether the payment already exists, and so is included in the paid or started amounts
 * @returns null for a payment that is not for a bill
 * @throws DomainError `invalid_input` (no bill for legal fees, a bill for anything else, or an amount that is too high or leaves too little),
 *   `not_found` (not a bill of this case), `already_paid`
 */
export async function lockBillToPay(
  transaction: Transaction,
  {
    caseId,
    body,
    minAmount,
    isStarted,
  }: { caseId: string; body: OtherPaymentBody; minAmount: number; isStarted: boolean },
): Promise<BillWithPayments | null> {
  const { category, bill_id: billId, amount } = body;
  if (category !== 'legal_fees') {
    if (billId !== undefined) throw invalid('bill_id', 'Only legal fees are paid for a bill.');
    return null;
  }
  if (billId === undefined) throw invalid('bill_id', 'Choose the bill that you are paying.');
  const found = await lockBillOfCase(transaction, { billId, caseId });
  if (!found) throw new DomainError('not_found');
  if (!isStarted) checkAmountOfBill(found, { amount, minAmount });
  return found;
}

function checkAmountOfBill(
  found: BillWithPayments,
  { amount, minAmount }: { amount: number; minAmount: number },
): void {
  const payable = payableOf(found);
  if (leavesTooLittle({ payable, amount, min: minAmount })) throw invalid('amount', tooLittleLeft(minAmount));
  if (amount <= payable) return;
  if (paidOf(found) >= grossOf(found.bill)) throw new DomainError('already_paid');
  if (payable > 0) throw invalid('amount', `Only ${formatMoney(payable)} of this bill is left to pay.`);
  if (found.bill.status === 'cancelled') throw invalid('bill_id', 'We have cancelled this bill.');
  throw invalid(
    'bill_id',
    'A payment towards this bill has already been started. Your payments page has it.',
  );
}

const invalid = (field: 'bill_id' | 'amount', message: string) =>
  new DomainError('invalid_input', { errors: { [field]: [message] } });
