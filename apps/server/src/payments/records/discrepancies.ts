import type { PaymentMethod } from '@keyturn/contract';

/** A disagreement between two records of the same money. */
export interface Discrepancy {
  kind: DiscrepancyKind;
  /** The id of the payment, intent or search, the receipt number, or the year of the receipts. */
  subject: string;
  /** What was found, as a clause without a full stop. */
  found: string;
}

export type DiscrepancyKind = keyof typeof fixes;

/** The fix for each kind of discrepancy, without a full stop. `ID` is replaced by the subject. */
export const fixes = {
  payments_paused: 'run keyturn payments recover',
  ledger_mismatch:
    'compare payments with payment_changes in the database: a row was changed outside the application',
  search_not_paid: 'set it to paid in the case system: it was paid online, and must not be paid again',
  search_cancelled: 'refund the payment at the provider, or order the search',
  paid_twice: 'refund one of the payments at the provider',
  no_longer_needed: 'tell the client not to pay; the payment expires 90 minutes after its last activity',
  receipt_number_missing:
    'find out who changed the database: the application never skips or reuses a receipt number',
  receipt_counter_wrong:
    'find out who changed the database: the counter must equal the highest receipt number of the year',
  paid_without_receipt: 'find out who changed the database: every paid payment has a receipt number',
  open_too_long:
    'find out from the log why the periodic check cannot close it; keyturn payments review ID cancel cancels it',
  under_review: 'check the payment at the provider, then close the review: keyturn payments review ID',
  terms_mismatch: 'check the payment at the provider, then run keyturn payments review ID',
  captured_not_recorded:
    'find out from the log why the periodic check does not record it; keyturn payments review ID sync records it at once',
  recorded_not_captured: 'check the payment at the provider: it has captured no money for it',
  refund_not_recorded: 'run keyturn payments review ID sync',
  refund_mismatch: 'run keyturn payments review ID sync',
  refund_went_back:
    'check the refund at the provider and tell the client which is true: a refund that failed is never made after all',
  refund_not_at_provider:
    'look for the refund at the provider: it may belong to another account, or to its other mode (test or live)',
  refund_total_mismatch:
    'run keyturn payments review ID sync; if it stays, the database was changed outside the application',
  refund_not_submitted:
    'find out from the log why it could not be submitted; keyturn payments refund submit ID submits it at once',
  refund_not_approved: 'approve it at the desk, or run keyturn payments refund reject ID --reason TEXT',
  not_cleared:
    'look for the charge and its balance transaction at the provider, and run keyturn payments review ID sync',
  balance_not_fetched:
    'find out from the log why the hourly job fetch-balance fails; keyturn payments ledger fetches the balance at once',
  movement_mismatch:
    'compare the payment with its charge and refunds at the provider, and run keyturn payments review ID sync',
  allocation_mismatch:
    'enter the payment by the lines of the bill, and move its client money to the client account',
  matter_unknown: 'name the matter on the payment’s page at the desk',
  payout_mismatch:
    'compare the payout with its itemised list at the provider before you enter it in the accounts',
  transfer_due:
    'move it from the business account to the client account, matter by matter, and record that in the ledger at the desk',
  dispute_mismatch: 'run keyturn payments review ID sync',
  open_at_provider: 'cancel the intent at the provider: the payment is cancelled and must not be paid',
  cancelled_at_provider:
    'find out from the log why the periodic check does not record it; keyturn payments review ID sync records it at once',
  intent_without_payment:
    'cancel the intent at the provider, or refund it if it is paid: the database has no such payment',
  second_intent:
    'cancel the intent at the provider, or refund it if it is paid: the payment belongs to another intent',
  other_account:
    'set the keys of that account until it is settled, or check it there and run keyturn payments review ID cancel',
  payment_without_intent:
    'look for the intent at the provider: it may belong to another account, or to its other mode (test or live)',
} as const;

/** Names a payment with its method, as the subject of a sentence. */
export const describePayment = (method: PaymentMethod): string =>
  method === 'bank' ? 'the payment by bank' : 'the card payment';

/** Returns the fix of a discrepancy, without a full stop. */
export const fixOf = ({ kind, subject }: Discrepancy): string => fixes[kind].replaceAll(' ID', ` ${subject}`);

/** Formats a discrepancy and its fix as one line. */
export const describeDiscrepancy = (discrepancy: Discrepancy): string =>
  `${discrepancy.kind} ${discrepancy.subject}: ${discrepancy.found}. Fix: ${fixOf(discrepancy)}.`;
