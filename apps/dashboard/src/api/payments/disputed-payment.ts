import type { DisputeStatus } from '@keyturn/contract';

/** Whether the card's bank has disputed or reversed a payment. A dispute that the firm has won no longer counts. */
export const isDisputed = ({ dispute }: { dispute: { status: DisputeStatus } | null }): boolean =>
  dispute !== null && dispute.status !== 'won';

/** Replaces what would otherwise happen with the money. The receipt's note says how much the bank has disputed. */
export const seeDisputeNote = 'Please read the note about the card’s bank below.';
