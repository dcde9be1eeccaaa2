/** What two that know of the same money do not agree on. */
export interface Difference {
  kind: DifferenceKind;
  /** The payment, intent, search or receipt that it is about. */
  subject: string;
  /** What was found, in one sentence without its full stop. */
  found: string;
}

export type DifferenceKind = keyof typeof whatToDo;

/** What a person does about each kind, in one sentence without its full stop. */
export const whatToDo = {
  record_differs: 'compare payments with payment_changes in the database: somebody has changed one by hand',
  search_not_paid: 'set it to paid in the case system: it was paid by card, and must not be paid again',
  search_cancelled: 'give the money back at the provider, or order the search',
  paid_twice: 'give one payment back at the provider',
  open_without_need: 'tell the client not to pay; it ends by itself 90 minutes after it was last used',
  receipt_missing: 'look for who changed the database: receipt numbers have no gaps',
  receipt_not_counted: 'look for who changed the database: the counter is behind, or ahead of, the receipts',
  paid_without_receipt: 'look for who changed the database: every paid payment has a receipt number',
  left_open:
    'see in the log why the catch-up cannot end it; keyturn payments review ID give-up ends it by hand',
  under_review: 'look at it at the provider, then end the review: keyturn payments review ID',
  terms_differ: 'look at it at the provider, then: keyturn payments review ID',
  taken_not_recorded:
    'see in the log why the catch-up does not learn of it; keyturn payments review ID ask asks at once',
  recorded_not_taken: 'look at it at the provider: no money is there for this payment',
  refund_differs:
    'ask for it again with keyturn payments review ID ask; a refund that failed is to be made anew',
  dispute_differs: 'ask for it again with keyturn payments review ID ask',
  open_at_provider: 'cancel the intent at the provider: nobody is to pay it any more',
  ended_at_provider:
    'see in the log why the catch-up does not learn of it; keyturn payments review ID ask asks at once',
  intent_without_payment: 'cancel it at the provider, or give the money back: no payment here knows of it',
  second_intent: 'cancel it at the provider, or give the money back: the payment has another intent',
  payment_without_intent:
    'look for it at the provider: it may belong to another account, or to its other mode',
} as const;

/** One line: what differs, and what to do. */
export const describeDifference = ({ kind, subject, found }: Difference): string =>
  `${kind} ${subject}: ${found}. To do: ${whatToDo[kind].replaceAll(' ID', ` ${subject}`)}.`;
