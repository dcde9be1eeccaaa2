import type { OtherPayment } from '../../../api/case/case-store.ts';

/** What the client is paying for: a search of the case, or a payment that they entered themselves. */
export type Payable =
  | { kind: 'search'; caseSearchId: string }
  | { kind: 'other'; otherPayment: OtherPayment };
