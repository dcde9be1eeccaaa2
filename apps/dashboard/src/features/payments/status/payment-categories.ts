import type { Bill, OtherPaymentCategory, PaymentLine } from '@keyturn/contract';

/** The categories of other payments as the client sees them. */
export const paymentCategoryTexts: Record<OtherPaymentCategory, { name: string; hint: string }> = {
  money_on_account: {
    name: 'Money on account',
    hint: 'Money we hold for you towards upcoming costs.',
  },
  identity_check: {
    name: 'Identity check',
    hint: 'An electronic identity check.',
  },
  search_pack: { name: 'Search pack', hint: 'Several property searches, ordered together.' },
  legal_fees: { name: 'Legal fees', hint: 'A bill we have sent you for our work.' },
  leasehold_pack: {
    name: 'Leasehold pack',
    hint: 'Information from the freeholder or managing agent of a leasehold home.',
  },
  indemnity_insurance: {
    name: 'Indemnity insurance',
    hint: 'Insurance against a known gap in a home’s documents.',
  },
  other: { name: 'Other payment', hint: 'Something else that we’ve asked you to pay.' },
};

/** Whether a payment settles the firm's own bill. All other money remains the client's until it is billed or spent. */
export const isPaidToFirm = (category: string): boolean => category === 'legal_fees';

/** What happens to money that settles the firm's bill. */
export const settlesBill = 'This pays our bill, so it isn’t money that we hold for you.';

/** What happens to a payment of a bill that has client money. */
export const settlesMixedBill =
  'This pays our bill, and first the client money on it. When it has cleared, client money is paid into our client account with the next payout.';

/** Says what happens to money that paid a bill. @param lines what the payment paid */
export const afterBillPayment = (lines: readonly Pick<PaymentLine, 'client_money'>[]): string =>
  lines.some(({ client_money }) => client_money)
    ? 'This pays our bill. When it has cleared, the client money in it is paid into our client account with the next payout.'
    : settlesBill;

/** Returns the client money on a bill, in pence with VAT. A server of the last release sends no lines. */
export const clientMoneyOfBill = ({ lines = [] }: Pick<Bill, 'lines'>): number =>
  lines.reduce((sum, { money, net, vat }) => sum + (money === 'client' ? net + vat : 0), 0);

/** What happens to all other money. */
export const keptInClientAccount =
  'There we hold it for you, separate from our own money, until we bill you for our work or spend it on your case. Anything left at the end is yours, and we pay it back to you.';
