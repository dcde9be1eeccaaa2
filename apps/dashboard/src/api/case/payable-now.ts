import type { CaseSearch, ConveyancingCase } from '@keyturn/contract';

/** Whether the client is asked to pay for it: not while their bank is confirming that they have. */
export const isPayableNow = ({ payable, payment }: CaseSearch): boolean =>
  payable && payment?.status !== 'processing';

/** Whether a card has been given for it, and the bank has not said its last word. */
export const isBeingPaid = ({ payment }: CaseSearch): boolean =>
  payment?.status === 'requires_action' || payment?.status === 'processing';

/** Pence: what is due, less what the bank is confirming. */
export const amountDueNow = (
  { amount_due }: ConveyancingCase,
  caseSearches: CaseSearch[] | undefined = [],
): number =>
  caseSearches
    .filter((caseSearch) => caseSearch.payable && !isPayableNow(caseSearch))
    .reduce((due, { price }) => Math.max(0, due - price.gross), amount_due);
