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

type PaidOut = Pick<Payment, 'lines' | 'payout' | 'clearing' | 'dispute'>;

/**
 * When the money of a payment arrived in the client account, as a fact of the receipt; null until finance has found it on the bank
 * statement, if any of it is the firm’s, if all of it is refunded, and if the bank may take it back or has done so.
 */
export function accountFact({ lines, payout, clearing, dispute }: PaidOut, today: string): string | null {
  const isClientMoney = lines.every(({ client_money }) => client_money);
  if (!payout?.in_account_since || !isClientMoney || clearing === null || isDisputed({ dispute }))
    return null;
  return formatNearDay(payout.in_account_since, today);
}

/** Where cleared client money is. Only the bank’s statement shows that a payout has arrived. */
function whereMoneyIs(
  { on, payout, refunded }: { on: string; payout: Payment['payout'] | undefined; refunded: number },
  today: string,
): string {
  if (!payout) return `Cleared on ${formatNearDay(on, today)}. ${withNextPayout}`;
  const { paid_out_on, expected_on, in_account_since } = payout;
  if (in_account_since) {
    const day = formatNearDay(in_account_since, today);
    // A part of it has left the account.
    return refunded > 0 ? `Arrived in our client account on ${day}.` : `In our client account since ${day}.`;
  }
  const due = expected_on < today ? 'it was due' : 'expected';
  return `Paid out on ${formatNearDay(paid_out_on, today)}; ${due} in our client account by ${formatNearDay(expected_on, today)}.`;
}

/** For the middle of a sentence. */
const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const withNextPayout = 'It is paid into our client account with the next payout.';

/** Sentences about what the firm does with the money of a payment for something else. */
export function afterOtherPayment(
  {
    category,
    lines,
    clearing,
    payout,
    dispute,
    refunded_amount: refunded,
  }: Pick<Payment, 'category' | 'lines' | 'clearing' | 'payout' | 'dispute' | 'refunded_amount'>,
  today: string,
): string {
  if (isDisputed({ dispute })) return seeDisputeNote;
  if (!clearing) return 'We have refunded all of this payment.';
  if (isPaidToFirm(category)) {
    const isMixed = lines.some(({ client_money }) => client_money);
    return isMixed && clearing.is_cleared && payout
      ? `This pays our bill. The client money in it: ${lowerFirst(whereMoneyIs({ on: clearing.on, payout, refunded }, today))}`
      : afterBillPayment(lines);
  }
  if (clearing.is_cleared) {
    return `${whereMoneyIs({ on: clearing.on, payout, refunded }, today)} ${keptInClientAccount}`;
  }
  return clearing.on < today
    ? 'The money has not cleared yet, which is later than expected. Call us if you have questions.'
    : `We expect the money to clear by ${formatNearDay(clearing.on, today)}. ${withNextPayout} ${keptInClientAccount}`;
}

/** Says that the firm checks another person who paid; null for the client’s own money, and once it has. */
export const anotherCardNote = ({ payer, clearing }: Pick<Payment, 'payer' | 'clearing'>): string | null =>
  isPayerUnchecked(payer) && clearing !== null ? anotherCardNotice : null;
