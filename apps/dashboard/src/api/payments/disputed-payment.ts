import type { DisputeStatus } from '@keyturn/contract';

interface Disputable {
  dispute: { status: DisputeStatus } | null;
}

/** Whether the card's bank has disputed or reversed a payment. A dispute that the firm has won no longer counts. */
export const isDisputed = ({ dispute }: Disputable): boolean =>
  dispute?.status === 'open' || dispute?.status === 'lost';

/** Whether the card's bank asks about a payment, disputes it or has reversed it: the firm decides what happens next. */
export const isDisputedOrInquiry = (payment: Disputable): boolean =>
  isDisputed(payment) || payment.dispute?.status === 'inquiry';

/** Replaces the usual text about what happens with the money. The receipt's note says how much the bank has asked about or disputed. */
export const seeDisputeNote = 'Please read the note about the card’s bank below.';
