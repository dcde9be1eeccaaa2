import { type Static, Type } from 'typebox';
import { bankPaymentStates } from '../bank-payments.ts';
import {
  cardWallets,
  disputeStatuses,
  otherPaymentCategories,
  paymentKinds,
  paymentLinkStates,
  paymentMethods,
  paymentProviders,
  paymentStatuses,
  refundStatuses,
} from '../vocabulary.ts';
import { CaseClient, givenEstimate } from './case-entities.ts';
import { AddedField, Day, entityFields, Id, Instant, Nullable, OneOf, Pence } from './values.ts';
import { lineMoney, vatCodeNames } from './vat-codes.ts';

/** A line of a bill. */
export const BillLine = Type.Object({
  description: Type.String(),
  net: Pence,
  /** Null for a bill that was sent with a rate only. */
  vat_code: Nullable(OneOf(vatCodeNames)),
  /** Percent. */
  vat_rate: Type.Number(),
  vat: Pence,
  money: OneOf(lineMoney),
});
export type BillLine = Static<typeof BillLine>;

/** A bill of the firm to the clients of a case. */
export const Bill = Type.Object({
  ...entityFields,
  /** The matter that it is for; null for the case as a whole. */
  matter_id: Nullable(Id),
  number: Type.String(),
  description: Type.String(),
  issued_on: Day,
  /** The day on which it is due; for one that is due on completion, the day that is planned or null. */
  due_on: Nullable(Day),
  due_on_completion: Type.Boolean(),
  /** Whether it is due today. */
  is_due: Type.Boolean(),
  /** In the order of the bill; `net` and `vat` are their sums. */
  lines: AddedField(Type.Array(BillLine)),
  /** The document with the bill itself; null if there is none that clients can open. */
  document_id: AddedField(Nullable(Id)),
  net: Pence,
  vat: Pence,
  gross: Pence,
  ...givenEstimate,
  /** The amount paid towards it in Keyturn, less refunds. */
  paid: Pence,
  /** The amount left to pay, less payments that a bank is confirming or that are under review. */
  left: Pence,
  /** The amount that can still be paid in Keyturn: open payments are subtracted too. */
  payable: Pence,
  /** Whether the next payment of it contains client money, which always goes to the client account. */
  pays_client_money: AddedField(Type.Boolean()),
});
export type Bill = Static<typeof Bill>;

export const PaymentLine = Type.Object({
  text: Type.String(),
  net: Pence,
  vat_rate: Type.Number(),
  vat: Pence,
  gross: Pence,
  client_money: Type.Boolean(),
});
export type PaymentLine = Static<typeof PaymentLine>;

/** The firm that a client paid, as a VAT receipt names it. */
export const PaymentSupplier = Type.Object({
  name: Type.String(),
  address: Type.Array(Type.String()),
  /** Null: no VAT is claimed. */
  vat_number: Nullable(Type.String()),
});
export type PaymentSupplier = Static<typeof PaymentSupplier>;

export const Payment = Type.Object({
  ...entityFields,
  kind: OneOf(paymentKinds),
  /** Fixed when the payment is started: another method is another payment. */
  method: OneOf(paymentMethods),
  status: OneOf(paymentStatuses),
  /** The progress of a payment by bank; null for card payments and cancelled payments. */
  bank_state: Nullable(OneOf(bankPaymentStates)),
  amount: Pence,
  currency: Type.Literal('gbp'),
  description: Type.String(),
  category: Type.String(),
  reference: Nullable(Type.String()),
  matter_id: Nullable(Id),
  case_search_id: Nullable(Id),
  /** The bill that it pays, and what was left of the bill after it; null for other money. */
  bill: Nullable(
    Type.Object({
      id: Id,
      number: Type.String(),
      issued_on: Day,
      /** Null before the payment, and for payments that are older than this record. */
      left: AddedField(Nullable(Pence)),
    }),
  ),
  paid_at: Nullable(Instant),
  receipt_number: Nullable(Type.String()),
  /** The firm as it was when the payment was made; null before that, and for payments that are older than this record. */
  supplier: Nullable(PaymentSupplier),
  /** The date of supply for VAT: of a bill its date, otherwise the day of the payment; null before that. */
  supplied_on: Nullable(Day),
  lines: Type.Array(PaymentLine),
  payer: Type.Object({
    /** The client who confirmed the payment, and who alone can pay it; null until then. */
    client: Nullable(CaseClient),
    /** Whether the card, or the bank account, is this client’s own. */
    own_card: Nullable(Type.Boolean()),
    /** The name on the card, or of the client who pays by bank. */
    name: Nullable(Type.String()),
    /**
     * The firm's check of another person who paid, before it uses the money; null for the client's own money, and before
     * it is paid.
     */
    check: AddedField(Nullable(Type.Object({ done_at: Nullable(Instant) }))),
  }),
  /** What this client confirmed; null for a payment that they did not confirm. */
  confirmation: Nullable(
    Type.Object({ receipt_email: Nullable(Type.String()), wording: Nullable(Type.String()) }),
  ),
  /** The client who cancelled it; null if it is not cancelled, or expired. */
  cancelled_by: Nullable(CaseClient),
  /** Whether the provider cancelled it before any money moved, so that the client can start again. */
  stopped_by_provider: AddedField(Type.Boolean()),
  /** The card that paid, or was declined; `wallet`: where the client kept it. */
  card: Nullable(
    Type.Object({ brand: Type.String(), last4: Type.String(), wallet: Nullable(OneOf(cardWallets)) }),
  ),
  /** The payer's statement shows this text; null for unpaid payments, and while the provider has not sent it. */
  statement_descriptor: Nullable(Type.String()),
  failure: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  refunded_amount: Pence,
  /** Refunds that failed at the provider; `refunded_amount` is without them. */
  failed_refund_amount: Pence,
  /** Each refund that the provider has, oldest first. */
  refunds: Type.Array(
    Type.Object({
      id: Id,
      amount: Pence,
      status: OneOf(refundStatuses),
      created_at: Instant,
      /** When it failed or was cancelled. */
      failed_at: Nullable(Instant),
    }),
  ),
  /**
   * The day on which the money reached the firm, or is expected to. Null for a payment that is not paid or is fully
   * refunded.
   */
  clearing: Nullable(Type.Object({ is_cleared: Type.Boolean(), on: Day })),
  /**
   * The payout with the money to the client account; null until it is on its way, and if the bank returned it. `in_account_since` is
   * null until the firm has found it on the bank statement, with all of the client’s money.
   */
  payout: AddedField(
    Nullable(Type.Object({ paid_out_on: Day, expected_on: Day, in_account_since: Nullable(Day) })),
  ),
  /** The email of the receipt, only for the client who paid; `sent_at` is null until the mail server has accepted it. */
  receipt_mail: Nullable(Type.Object({ to: Type.String(), sent_at: Nullable(Instant) })),
  /** The latest dispute of the payer's bank, which may take the money back. */
  dispute: Nullable(Type.Object({ status: OneOf(disputeStatuses), amount: Pence, opened_at: Instant })),
  /**
   * Whether the firm is reviewing the payment and will contact the client. It must not be paid again, regardless of
   * its status.
   */
  under_review: Type.Boolean(),
  /** With `sandbox` no money was moved. */
  provider: OneOf(paymentProviders),
});
export type Payment = Static<typeof Payment>;

/** What the browser needs to pay at the provider; contains nothing about the card. */
export const PaymentIntent = Type.Object({
  payment_id: Id,
  method: OneOf(paymentMethods),
  provider: OneOf(paymentProviders),
  publishable_key: Type.String(),
  /**
   * Pays the intent. Only for the client who confirmed the payment; null for anyone else, and until it is confirmed.
   */
  client_secret: Nullable(Type.String()),
  amount: Pence,
  currency: Type.Literal('gbp'),
  status: OneOf(paymentStatuses),
  /** The text that the payer's statement will show; null while the provider has not sent it. */
  statement_descriptor: Nullable(Type.String()),
});
export type PaymentIntent = Static<typeof PaymentIntent>;

/** A link that the firm emailed to this client, and what it leads to now. */
export const PaymentLink = Type.Object({
  id: Id,
  created_at: Instant,
  case: Type.Object({ id: Id, reference: Type.String() }),
  description: Type.String(),
  case_search_id: Nullable(Id),
  bill: Nullable(Type.Object({ id: Id, number: Type.String() })),
  /** Null for a search. */
  category: Nullable(OneOf(otherPaymentCategories)),
  matter_id: Nullable(Id),
  /** The amount to pay now. */
  amount: Pence,
  /** The amount to pay when the link was sent. */
  sent_amount: Pence,
  /**
   * The key for the payment that the link leads to, so that two tabs start only one; null where no key is needed for
   * this.
   */
  idempotency_key: Nullable(Type.String()),
  state: OneOf(paymentLinkStates),
});
export type PaymentLink = Static<typeof PaymentLink>;
