import type { CaseSearch, ConveyancingCase } from '@keyturn/contract';

/** Whether the client can pay for a search now; not while their bank is confirming a payment. */
export const isPayableNow = ({ payable, payment }: CaseSearch): boolean =>
  payable && payment?.status !== 'processing';

/** Whether the client still owes the price of a search: payable now, or in another way if no card payments are accepted. */
export const isDueNow = (caseSearch: CaseSearch, acceptsPayments: boolean): boolean =>
  acceptsPayments
    ? isPayableNow(caseSearch)
    : caseSearch.status === 'awaiting_payment' &&
      !caseSearch.under_review &&
      caseSearch.payment?.status !== 'processing';

/** Whether a payment for a search is waiting for the bank. */
export const isBeingPaid = ({ payment }: CaseSearch): boolean =>
  payment?.status === 'requires_action' || payment?.status === 'processing';

/** The amount due in pence, less the payments that a bank is confirming. */
export const amountDueNow = (
  { amount_due }: ConveyancingCase,
  caseSearches: CaseSearch[] | undefined = [],
): number =>
  caseSearches
    .filter((caseSearch) => caseSearch.payable && !isPayableNow(caseSearch))
    .reduce((due, { price }) => Math.max(0, due - price.gross), amount_due);
