import type { Payment } from '@keyturn/contract';
import { anotherCardNotice } from '@keyturn/format/clearing';
import { formatShortDay } from '@keyturn/format/dates';
import { formatNearDay } from '@keyturn/format/london-time';
import { isPayerUnchecked } from '../../../api/case/order-promise.ts';
import { isDisputed, seeDisputeNote } from '../../../api/payments/disputed-payment.ts';
import { afterBillPayment, isPaidToFirm, keptInClientAccount } from './payment-categories.ts';

type Cleared = Pick<Payment, 'clearing' | 'dispute'>;

/**
 * When the money of a payment cleared or is expected to, as a fact of the receipt; null if there is none to clear, or if the
 * bank may take it back or has done so.
 */
export function clearingFact(
  { clearing, dispute }: Cleared,
  today: string,
): { name: string; text: string } | null {
  if (!clearing || isDisputed({ dispute })) return null;
  if (clearing.is_cleared) return { name: 'Cleared', text: formatNearDay(clearing.on, today) };
  if (clearing.on < today) return { name: 'Clears', text: 'Not yet, which is later than expected' };
  return { name: 'Clears', text: `Expected by ${formatNearDay(clearing.on, today)}` };
}

/** When the money of a payment cleared or is expected to clear, in a few words for the list of payments. */
export function clearingNote({ clearing, dispute }: Cleared, today: string): string | null {
  if (!clearing || isDisputed({ dispute })) return null;
  if (clearing.is_cleared) return `Cleared ${formatShortDay(clearing.on)}`;
  return clearing.on < today ? 'Not cleared yet' : `Expected to clear by ${formatShortDay(clearing.on)}`;
}

/** Only the bank’s statement shows that a payout has arrived, so no text says that the money is in the client account. */
const withNextPayout = 'It is paid into our client account with the next payout.';

/** Sentences about what the firm does with the money of a payment for something else. */
export function afterOtherPayment(
  { category, lines, clearing, dispute }: Pick<Payment, 'category' | 'lines' | 'clearing' | 'dispute'>,
  today: string,
): string {
  if (isDisputed({ dispute })) return seeDisputeNote;
  if (!clearing) return 'We have refunded all of this payment.';
  if (isPaidToFirm(category)) return afterBillPayment(lines);
  const day = formatNearDay(clearing.on, today);
  if (clearing.is_cleared) return `Cleared on ${day}. ${withNextPayout} ${keptInClientAccount}`;
  return clearing.on < today
    ? 'The money has not cleared yet, which is later than expected. Call us if you have questions.'
    : `We expect the money to clear by ${day}. ${withNextPayout} ${keptInClientAccount}`;
}

/** Says that the firm checks another person who paid; null for the client’s own money, and once it has. */
export const anotherCardNote = ({ payer, clearing }: Pick<Payment, 'payer' | 'clearing'>): string | null =>
  isPayerUnchecked(payer) && clearing !== null ? anotherCardNotice : null;
