import type { CardWallet, RefundStatus } from '@keyturn/contract';
import { walletName } from '@keyturn/format/card-brand';
import { formatMoney } from '@keyturn/format/money';
import { isRefundPending } from '@keyturn/format/refunds';
import type { DisputePhase } from './dispute-states.ts';
import type { PaymentRow } from './rows.ts';

type PaidFor = Pick<PaymentRow, 'method' | 'amount' | 'category' | 'description'>;

/**
 * "Amelia paid £276.00 for the local authority search with Apple Pay", or "… by bank"
 * @param wallet null for a card that was typed in
 */
export function summarisePayment(payer: string, payment: PaidFor, wallet: CardWallet | null): string {
  const name = walletName(wallet);
  const means = payment.method === 'bank' ? 'by bank' : name && `with ${name}`;
  return [payer, 'paid', formatMoney(payment.amount), purposeOf(payment), means].filter(Boolean).join(' ');
}

/** "The payer’s bank approved £276.00 for the local authority search. We’re waiting for the money" */
export const summariseApproval = (payment: PaidFor): string =>
  `${['The payer’s bank approved', formatMoney(payment.amount), purposeOf(payment)].filter(Boolean).join(' ')}. We’re waiting for the money`;

/** "The payer’s bank did not send £276.00 for the local authority search" */
export const summariseBankFailure = (payment: PaidFor): string =>
  ['The payer’s bank did not send', formatMoney(payment.amount), purposeOf(payment)]
    .filter(Boolean)
    .join(' ');

/**
 * "We refunded £100.00 of the £276.00 paid for the local authority search", or "We started to refund …" if the
 * provider has accepted the refund but not made it: an entry of the history never changes, so it must stay true.
 * @param refund.amount pence of this refund
 */
export function summariseRefund(
  { amount, status }: { amount: number; status: RefundStatus },
  payment: PaidFor,
): string {
  const part = amount === payment.amount ? '' : `${formatMoney(amount)} of `;
  const verb = isRefundPending({ status }) ? 'We started to refund' : 'We refunded';
  return [verb, `${part}the ${formatMoney(payment.amount)} paid`, purposeOf(payment)]
    .filter(Boolean)
    .join(' ');
}

/**
 * "A refund of £100.00 for the local authority search was made", some time after it was started
 * @param amount pence of the refund
 */
export const summariseCompletedRefund = (amount: number, payment: PaidFor): string =>
  [`A refund of ${formatMoney(amount)}`, purposeOf(payment), 'was made'].filter(Boolean).join(' ');

/**
 * "A refund of £100.00 for the local authority search did not reach the card", or "… the bank account"
 * @param amount pence of the refund that failed
 */
export const summariseFailedRefund = (amount: number, payment: PaidFor): string =>
  [
    `A refund of ${formatMoney(amount)}`,
    purposeOf(payment),
    `did not reach the ${payment.method === 'bank' ? 'bank account' : 'card'}`,
  ]
    .filter(Boolean)
    .join(' ');

/** "The card’s bank disputed £276.00 paid for the local authority search" */
export function summariseDispute(
  { phase, amount }: { phase: DisputePhase; amount: number },
  payment: PaidFor,
): string {
  const paid = [formatMoney(amount), 'paid', purposeOf(payment)].filter(Boolean).join(' ');
  switch (phase) {
    case 'inquiry':
      return `The card’s bank asked us about ${paid}`;
    case 'inquiry_closed':
      return `The card’s bank closed its question about ${paid}`;
    case 'open':
      return `The card’s bank disputed ${paid}`;
    case 'won':
      return `The card’s bank settled the dispute in our favour: ${paid}`;
    case 'lost':
    case 'prevented':
      return `The card’s bank took back ${paid}`;
  }
}

/** Returns the purpose of the money as the end of a sentence; empty if the description adds nothing. */
function purposeOf({ category, description }: PaidFor): string {
  switch (category) {
    case 'money_on_account':
      return 'on account';
    case 'legal_fees':
    case 'indemnity_insurance':
      return `for ${lowerFirst(description)}`;
    case 'other':
      return '';
    default:
      return `for the ${lowerFirst(description)}`;
  }
}

/** Keeps the capitals of abbreviations ("CON29 search") and names ("Thames Water search"). */
const lowerFirst = (text: string): string =>
  /^\p{Lu}\p{Ll}*(?![\p{L}\d])(?!\s\p{Lu})/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
