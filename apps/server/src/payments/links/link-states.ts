import type { CaseSearchStatus, PaymentLinkState, PaymentStatus } from '@keyturn/contract';

/** The columns of a payment that determine the state of a link. */
export interface LinkedPayment {
  status: PaymentStatus;
  paidAt: Date | null;
  reviewReason: string | null;
}

/** Determines what a client who opens a link to a search can do. */
export function stateOfSearch(
  search: { status: CaseSearchStatus; caseAcceptsPayment: boolean },
  payment: LinkedPayment | undefined,
): PaymentLinkState {
  const started = payment && stateOfPayment(payment);
  if (started) return started;
  return search.status === 'awaiting_payment' && search.caseAcceptsPayment ? 'payable' : 'withdrawn';
}

/** Determines what a client who opens a link to a bill can do; amounts in pence. */
export function stateOfBill(
  bill: { gross: number; paid: number; payable: number } | undefined,
  caseAcceptsPayment: boolean,
): PaymentLinkState {
  if (!bill || !caseAcceptsPayment) return 'withdrawn';
  if (bill.payable > 0) return 'payable';
  return bill.paid >= bill.gross ? 'paid' : 'being_paid';
}

/** Determines what a client who opens a link to other money can do. */
export function stateOfOther(
  caseAcceptsPayment: boolean,
  payments: readonly LinkedPayment[],
): PaymentLinkState {
  const states = payments.map(stateOfPayment);
  for (const state of ['under_review', 'paid', 'being_paid'] as const) {
    if (states.includes(state)) return state;
  }
  return caseAcceptsPayment ? 'payable' : 'withdrawn';
}

/** Null for a payment that ended without money. */
function stateOfPayment({ status, paidAt, reviewReason }: LinkedPayment): PaymentLinkState | null {
  if (reviewReason !== null) return 'under_review';
  if (paidAt !== null) return 'paid';
  return status === 'cancelled' ? null : 'being_paid';
}
