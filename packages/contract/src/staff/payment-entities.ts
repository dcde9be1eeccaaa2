import { type Static, Type } from 'typebox';
import { bankPaymentStates } from '../bank-payments.ts';
import { Property } from '../entities/case-entities.ts';
import { Payment, PaymentLine } from '../entities/payment-entities.ts';
import { AddedField, Day, Id, Instant, Nullable, OneOf, Pence } from '../entities/values.ts';
import { FeedLedger } from '../feed.ts';
import {
  disputeStatuses,
  matterTypes,
  paymentLinkStates,
  paymentMethods,
  paymentStatuses,
  refundStatuses,
} from '../vocabulary.ts';

/** The firm's accounts at the payment provider. */
export const moneyAccounts = ['client', 'business'] as const;

/** The filters of the list of payments: the statuses of a payment, and payments that need action by the firm. */
export const paymentStates = [
  'open',
  ...paymentStatuses,
  'under_review',
  'disputed',
  'refund_awaiting_approval',
  'refund_failed',
] as const;
export type PaymentState = (typeof paymentStates)[number];

const CaseOfPayment = Type.Object({ id: Id, reference: Type.String(), title: Type.String() });

/** A payment in the list. */
export const StaffPayment = Type.Object({
  id: Id,
  created_at: Instant,
  paid_at: Nullable(Instant),
  method: OneOf(paymentMethods),
  status: OneOf(paymentStatuses),
  /** The progress of a payment by bank; null for card payments and cancelled payments. */
  bank_state: Nullable(OneOf(bankPaymentStates)),
  amount: Pence,
  refunded_amount: Pence,
  /** Refunds that failed at the provider. */
  failed_refund_amount: Pence,
  description: Type.String(),
  /** The purpose: `search`, or a category of other payments. */
  purpose: Type.String(),
  /** The client’s own words. */
  reference: Nullable(Type.String()),
  receipt_number: Nullable(Type.String()),
  case: CaseOfPayment,
  /** The client who confirmed the payment, or else the one who started it. */
  payer: Type.Object({ id: Id, name: Type.String() }),
  account: OneOf(moneyAccounts),
  /** With `sandbox` no money was moved. */
  provider: OneOf(['sandbox', 'stripe']),
  under_review: Type.Boolean(),
  dispute: Nullable(OneOf(disputeStatuses)),
  /** The total of refunds, in pence, that were approved or accepted, and that the provider has not made yet. */
  refunds_on_their_way: Pence,
  /** The total of refunds, in pence, that wait for a second person. */
  awaiting_approval: Pence,
});
export type StaffPayment = Static<typeof StaffPayment>;

/** `approved`: it is about to be made; `succeeded`: the provider has made it. */
export const storedRefundStatuses = ['awaiting_approval', 'approved', 'rejected', ...refundStatuses] as const;
export const refundReasonCodes = ['requested_by_customer', 'duplicate', 'fraudulent'] as const;

/** Where the money of a refund is: in the client account or at the provider, paid out of the client account, or the firm’s. */
export const refundMoneyStates = ['held', 'spent', 'firm'] as const;
export type RefundMoneyState = (typeof refundMoneyStates)[number];

export const StaffRefund = Type.Object({
  id: Id,
  payment_id: Id,
  created_at: Instant,
  updated_at: Instant,
  amount: Pence,
  status: OneOf(storedRefundStatuses),
  /** The provider’s code; null if none was given. */
  reason: Nullable(Type.String()),
  /** The reason, in the words of staff. */
  note: Nullable(Type.String()),
  /** Where the money was, as the person who asked for it said; null if no one was asked. */
  money_state: AddedField(Nullable(OneOf(refundMoneyStates))),
  /** The pence of it that are the firm’s money, the rest is client money; null if the payment is not mixed, or no one said. */
  office: AddedField(Nullable(Pence)),
  /** The name at the time; null for a refund that was made at the provider, or by one person with a command. */
  requested_by: Nullable(Type.String()),
  approved_by: Nullable(Type.String()),
  /** Why it failed, or was rejected. */
  failure_reason: Nullable(Type.String()),
  provider_refund_id: Nullable(Type.String()),
  /** Whether the caller may approve it. */
  may_approve: Type.Boolean(),
  /** Whether the caller may reject it, or withdraw their own request. */
  may_reject: Type.Boolean(),
});
export type StaffRefund = Static<typeof StaffRefund>;

/** A refund with the payment that it belongs to. */
export const ListedRefund = Type.Object({
  ...StaffRefund.properties,
  payment: Type.Object({
    description: Type.String(),
    amount: Pence,
    receipt_number: Nullable(Type.String()),
    case: CaseOfPayment,
  }),
});
export type ListedRefund = Static<typeof ListedRefund>;

export const StaffDispute = Type.Object({
  id: Id,
  payment_id: Id,
  provider_dispute_id: Type.String(),
  /** Whether it is an inquiry: the bank only asks, and has taken no money. */
  is_inquiry: Type.Boolean(),
  status: OneOf(['needs_response', 'under_review', 'closed']),
  outcome: Nullable(OneOf(['won', 'lost', 'inquiry_closed', 'prevented'])),
  /** In words. */
  reason: Type.String(),
  amount: Pence,
  opened_at: Instant,
  /** The deadline of the bank; null if the provider gives none. */
  evidence_due_by: Nullable(Instant),
  submitted_at: Nullable(Instant),
  closed_at: Nullable(Instant),
  /** The amount that the bank has withdrawn, and the part of it that the bank has returned. */
  withdrawn_amount: Pence,
  reinstated_amount: Pence,
  payment: Type.Object({
    description: Type.String(),
    amount: Pence,
    receipt_number: Nullable(Type.String()),
    case: CaseOfPayment,
  }),
});
export type StaffDispute = Static<typeof StaffDispute>;

/** A bank’s early warning of fraud, or a payment that the provider holds for a check by the firm. */
export const FraudSignal = Type.Object({
  kind: OneOf(['early_fraud_warning', 'provider_review']),
  provider_id: Type.String(),
  at: Instant,
  /** The bank's or provider's reason, in words. */
  found: Type.String(),
  /** Whether the firm has something to do. */
  is_open: Type.Boolean(),
  payment_id: Id,
  amount: Pence,
});
export type FraudSignal = Static<typeof FraudSignal>;

/** One change of a payment, or of a refund of it. */
export const PaymentChange = Type.Object({
  at: Instant,
  from: Nullable(OneOf(paymentStatuses)),
  to: OneOf(paymentStatuses),
  /** Such as `payment_intent.succeeded`. */
  cause: Type.String(),
  /** The amount that this change captured, less the amount that it refunded. */
  money: Type.Integer(),
  failure_code: Nullable(Type.String()),
  confirmed_by: Nullable(Type.String()),
  cancelled_by: Nullable(Type.String()),
  review_reason: Nullable(Type.String()),
  dispute: Nullable(OneOf(disputeStatuses)),
  refund: Nullable(Type.Object({ id: Id, status: OneOf(storedRefundStatuses), amount: Pence })),
});
export type PaymentChange = Static<typeof PaymentChange>;

export const PaymentMail = Type.Object({
  kind: OneOf(['receipt', 'refund', 'refund_failed', 'not_paid']),
  address: Type.String(),
  amount: Nullable(Pence),
  written_at: Instant,
  /** When the mail server accepted it; null until then. */
  sent_at: Nullable(Instant),
});
export type PaymentMail = Static<typeof PaymentMail>;

const CheckText = Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' });

/** What a member of staff finds out about the person whose card paid, before the firm uses the money. */
export const PayerCheckInput = {
  /** To the client, for example “mother”. */
  relationship: CheckText,
  /** Where the money comes from, and the evidence. */
  source: CheckText,
  /** How the payer’s identity was checked. */
  identity: CheckText,
  /** The person in the firm who decided that the money may be used. */
  approved_by: CheckText,
};

export const PayerCheck = Type.Object({
  relationship: Type.String(),
  source: Type.String(),
  identity: Type.String(),
  approved_by: Type.String(),
  recorded_by: Type.String(),
  recorded_at: Instant,
});
export type PayerCheck = Static<typeof PayerCheck>;

/**
 * Why a part of the payment for a search repays the firm, or none: Keyturn decides when the money clears, and finance may change it.
 * `payer_unchecked`: another person paid, and the firm has not checked who.
 */
export const allocationCauses = [
  'not_ordered',
  'ordered_before',
  'not_paid_first',
  'cost_unknown',
  'payer_unchecked',
  'finance',
] as const;
export type AllocationCause = (typeof allocationCauses)[number];

/** How much of the payment for a search repays the firm, and why. */
export const PaymentAllocation = Type.Object({
  /** Pence that repay the firm for what it paid first; the rest is the client’s. */
  office: Pence,
  cause: OneOf(allocationCauses),
  /** In the words of finance. */
  reason: Nullable(Type.String()),
  decided_by: Nullable(Type.String()),
  decided_at: Instant,
});
export type PaymentAllocation = Static<typeof PaymentAllocation>;

/** Everything about one payment. */
export const StaffPaymentPage = Type.Object({
  ...StaffPayment.properties,
  lines: Type.Array(PaymentLine),
  matter_reference: Nullable(Type.String()),
  /** The balances of the matter in the firm’s own ledger; null if its system sends none. */
  ledger: AddedField(Nullable(FeedLedger)),
  /** The matters of the case, for finance to name the one that was paid for; empty if there is nothing to name. */
  matters_to_name: AddedField(
    Type.Array(
      Type.Object({
        id: Id,
        reference: Type.String(),
        matter_type: OneOf(matterTypes),
        property: Property,
      }),
    ),
  ),
  search: Nullable(Type.Object({ id: Id, reference: Type.String(), name: Type.String() })),
  bill: Nullable(Type.Object({ id: Id, reference: Type.String(), number: Type.String() })),
  own_card: Nullable(Type.Boolean()),
  /** The name on the card, or of the client who paid by bank. */
  card_holder: Nullable(Type.String()),
  /** Whether another person paid, and no check of them is recorded: the money must not be used. */
  awaits_payer_check: AddedField(Type.Boolean()),
  payer_check: AddedField(Nullable(PayerCheck)),
  /** Null for other payments than those for searches, before the money has cleared, and if it cleared with an earlier release. */
  allocation: AddedField(Nullable(PaymentAllocation)),
  /** Why finance cannot change whose money it is, in words; null if it can. */
  allocation_obstacle: AddedField(Nullable(Type.String())),
  receipt_email: Nullable(Type.String()),
  card: Payment.properties.card,
  statement_descriptor: Nullable(Type.String()),
  clearing: Payment.properties.clearing,
  failure_code: Nullable(Type.String()),
  review_reason: Nullable(Type.String()),
  provider_intent_id: Nullable(Type.String()),
  provider_account_id: Nullable(Type.String()),
  changes: Type.Array(PaymentChange),
  refunds: Type.Array(StaffRefund),
  disputes: Type.Array(StaffDispute),
  mails: Type.Array(PaymentMail),
  /** What is left of a payment with both client money and the firm’s, less requests; null for other payments. */
  parts_left: AddedField(Nullable(Type.Object({ client: Pence, office: Pence }))),
  /** The amount that can still be refunded, regardless of the caller's limit. */
  refundable: Pence,
  /**
   * The amount that the caller may refund alone, or that a handler may request, less earlier such refunds of this
   * payment.
   */
  refund_limit: Pence,
});
export type StaffPaymentPage = Static<typeof StaffPaymentPage>;

/** What the provider says before a refund. */
export const RefundBalance = Type.Object({
  /** The amount from which refunds are made now, which may be negative; null if the provider makes any refund. */
  available: Nullable(Pence),
  /** Whether the provider no longer refunds the payment, because it was made by bank too long ago. */
  is_period_over: Type.Boolean(),
  /** What was received online for the same matter, less refunds. */
  received_online: AddedField(Pence),
  /** The balances of the matter in the firm’s own ledger; null if its system sends none. */
  ledger: AddedField(Nullable(FeedLedger)),
});
export type RefundBalance = Static<typeof RefundBalance>;

/** Something that stops or endangers payments, with what to do. */
export const PaymentNotice = Type.Object({
  kind: OneOf(['payments_paused', 'swapped_keys', 'key_rejected', 'balance_not_fetched']),
  since: Nullable(Instant),
  found: Type.String(),
  to_do: Type.String(),
});
export type PaymentNotice = Static<typeof PaymentNotice>;

export const PaymentCheck = Type.Object({
  checked_at: Instant,
  /** The reconciliation covers payments and intents since this time. */
  since: Instant,
  payments: Type.Integer(),
  intents: Type.Integer(),
  discrepancies: Type.Array(
    Type.Object({ kind: Type.String(), subject: Type.String(), found: Type.String(), fix: Type.String() }),
  ),
});
export type PaymentCheck = Static<typeof PaymentCheck>;

const LedgerTotals = Type.Object({
  provider: Pence,
  bank: Pence,
  card_costs: Pence,
  chargebacks: AddedField(Pence),
  client_money: Pence,
  business_money: Pence,
  not_ours: Pence,
});

/**
 * Why a payout differs from the clients’ money in it: `office` is the firm’s money in it, and `moved` what was moved before the sum
 * changed.
 */
export const payoutDifferenceKinds = ['fee', 'refund', 'chargeback', 'reserve', 'office', 'moved'] as const;

/** What finance records about a payout. */
export const payoutFacts = ['matched', 'transferred'] as const;
export type PayoutFactName = (typeof payoutFacts)[number];

const PayoutFact = Type.Object({ on: Day, recorded_by: Type.String() });

export const StaffLedger = Type.Object({
  from: Day,
  to: Day,
  /** When the provider’s balance was last fetched; null before the first time. */
  fetched_at: Nullable(Instant),
  days: Type.Array(
    Type.Object({
      day: Day,
      received: Pence,
      refunded: Pence,
      disputed: Pence,
      fees: Pence,
      paid_out: Pence,
      not_ours: Pence,
      balance: Pence,
    }),
  ),
  /** Charges less refunds of the period, by account and purpose. */
  purposes: Type.Array(
    Type.Object({
      account: OneOf(moneyAccounts),
      purpose: Type.String(),
      received: Pence,
      refunded: Pence,
      payments: Type.Integer(),
    }),
  ),
  /** Payouts that reach, or reached, the bank in the period. */
  payouts: Type.Array(
    Type.Object({
      account: OneOf(moneyAccounts),
      payout_id: Type.String(),
      status: OneOf(['pending', 'in_transit', 'paid', 'failed', 'cancelled']),
      arrives_on: Day,
      amount: Pence,
      /** The day of the bank statement with it, and the member who found it there; null until then. */
      matched: AddedField(Nullable(PayoutFact)),
      /** The day on which the firm moved `to_transfer`; null until that is recorded. */
      transferred: AddedField(Nullable(PayoutFact)),
      /**
       * What to move from the business account to the client account; negative for the other way, null until it is known what the
       * payout contains.
       */
      to_transfer: AddedField(Nullable(Pence)),
      /** Why it differs from the clients’ money in it, by matter; they add up to `to_transfer`. */
      differences: AddedField(
        Type.Array(
          Type.Object({
            kind: OneOf(payoutDifferenceKinds),
            case_reference: Nullable(Type.String()),
            matter_reference: Nullable(Type.String()),
            amount: Pence,
          }),
        ),
      ),
    }),
  ),
  matters: Type.Array(
    Type.Object({
      case_reference: Type.String(),
      matter_reference: Nullable(Type.String()),
      client_money: Pence,
    }),
  ),
  balances: Type.Object({ client: LedgerTotals, business: LedgerTotals }),
  /** The number of movements in the period, which are the rows of the CSV file. */
  movements: Type.Integer(),
  discrepancies: Type.Array(
    Type.Object({ kind: Type.String(), subject: Type.String(), found: Type.String() }),
  ),
});
export type StaffLedger = Static<typeof StaffLedger>;

/** The state of a payment link for one client. */
export const SentPaymentLink = Type.Object({
  name: Type.String(),
  email: Type.String(),
  outcome: OneOf(['sent', 'sent_before', 'too_many']),
});
export type SentPaymentLink = Static<typeof SentPaymentLink>;

/** A payment link of a client, and what it leads to now. */
export const StaffPaymentLink = Type.Object({
  id: Id,
  client: Type.Object({ id: Id, name: Type.String() }),
  description: Type.String(),
  /** What was to pay when it was requested. */
  sent_amount: Pence,
  requested_at: Instant,
  /** When it was emailed; null if not yet, or never because there was nothing left to pay. */
  sent_at: Nullable(Instant),
  /** When the client first opened it. */
  opened_at: Nullable(Instant),
  withdrawn_at: Nullable(Instant),
  state: OneOf(paymentLinkStates),
});
export type StaffPaymentLink = Static<typeof StaffPaymentLink>;
