import type { OtherPaymentCategory } from '@keyturn/contract';

/** What a payment that is for no search may be for, as the client is asked. */
export const categoryLabels: Record<OtherPaymentCategory, { name: string; hint: string }> = {
  money_on_account: {
    name: 'Money on account',
    hint: 'Money that you give us beforehand, for costs to come.',
  },
  identity_check: {
    name: 'Identity check',
    hint: 'The check of who you are, which the law asks of us.',
  },
  search_pack: { name: 'Search pack', hint: 'Several property searches, ordered together.' },
  legal_fees: { name: 'Legal fees', hint: 'A bill that we have sent you for our work.' },
  leasehold_pack: {
    name: 'Leasehold pack',
    hint: 'The answers of the freeholder or managing agent about a leasehold home.',
  },
  indemnity_insurance: {
    name: 'Indemnity insurance',
    hint: 'Cover against a known gap in the papers of a home.',
  },
  other: { name: 'Something else', hint: 'Say what it is for in the reference.' },
};

/** The firm's own bill: what is paid for it is the firm's, and all else the client's until it is billed or spent. */
export const isPaidToFirm = (category: string): boolean => category === 'legal_fees';

/** What becomes of the money of a payment that is for no search, before and after it is paid. */
export function moneyDestination(category: string): { before: string; after: string } {
  if (isPaidToFirm(category)) {
    return {
      before:
        'It pays our bill. If you pay more than we have billed, we keep the rest for you or pay it back.',
      after: 'It pays our bill. If it is more than we have billed, we keep the rest for you or pay it back.',
    };
  }
  const kept =
    'We keep it there for you, apart from our own money, until we have billed you for our work or spent it on your case. What is left at the end is yours, and we pay it back.';
  return { before: kept, after: `It is in our client account. ${kept}` };
}
