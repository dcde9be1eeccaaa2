import { Type } from 'typebox';
import { body, IdInput, IdParam } from '../calls/call-definition.ts';
import { Line, Nullable, OneOf } from '../entities/values.ts';
import { otherPaymentCategories, paymentMethods, paymentPurposes } from '../vocabulary.ts';
import { ExportProfile } from './ledger/export-profiles.ts';
import {
  FraudSignal,
  ListedRefund,
  moneyAccounts,
  PayerCheckInput,
  PaymentCheck,
  PaymentNotice,
  paymentStates,
  payoutFacts,
  RefundBalance,
  refundMoneyStates,
  refundReasonCodes,
  SentPaymentLink,
  StaffDispute,
  StaffLedger,
  StaffPayment,
  StaffPaymentLink,
  StaffPaymentPage,
  StaffRefund,
} from './payment-entities.ts';
import { deskDefaults, type StaffCallDefinition } from './staff-call-definition.ts';
import { staffRoles } from './staff-entities.ts';

const everyone = staffRoles;
const finance = ['finance', 'admin'] as const;
const reading = ['unauthenticated', 'factor_required', 'role_not_permitted', 'invalid_input'] as const;
const changing = [...reading, 'not_from_desk', 'identity_not_confirmed', 'not_found'] as const;
const atProvider = [...changing, 'payments_paused', 'provider_unavailable'] as const;

const DayInput = Type.String({ format: 'date', maxLength: 10 });
const PenceInput = Type.Integer({ minimum: 1, maximum: 99_999_999 });
const NoPenceOrMore = Type.Integer({ minimum: 0, maximum: 99_999_999 });
/** Distinguishes a new request from a repeated one. */
const Key = Type.String({ minLength: 8, maxLength: 100 });
const Reason = Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' });
const Reference = Type.String({ minLength: 1, maxLength: 100 });

/** The calls about payments, their refunds, disputes and the ledger. */
export const staffPaymentCalls = {
  'GET /staff/payments': {
    summary: 'List payments, newest first',
    ...deskDefaults,
    access: everyone,
    query: Type.Object(
      {
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
        /** `next_cursor` of the previous page. */
        cursor: Type.Optional(Type.String({ maxLength: 200 })),
        state: Type.Optional(OneOf(paymentStates)),
        purpose: Type.Optional(OneOf(paymentPurposes)),
        method: Type.Optional(OneOf(paymentMethods)),
        account: Type.Optional(OneOf(moneyAccounts)),
        /** The days in London on which the payments were started, both included. */
        from: Type.Optional(DayInput),
        to: Type.Optional(DayInput),
        min_amount: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
        max_amount: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
        case: Type.Optional(IdInput),
        payer: Type.Optional(IdInput),
        /** A case reference, receipt number, client’s name, payment reference, or id here or at the provider. */
        search: Type.Optional(Type.String({ maxLength: 100 })),
      },
      { additionalProperties: false },
    ),
    data: Type.Object({ payments: Type.Array(StaffPayment), next_cursor: Nullable(Type.String()) }),
    errors: [...reading],
  },
  'GET /staff/payments/{id}': {
    summary: 'Get everything about one payment',
    ...deskDefaults,
    access: everyone,
    params: IdParam,
    data: StaffPaymentPage,
    errors: [...reading, 'not_found'],
  },
  'GET /staff/payments/{id}/receipt': {
    summary: 'Download the receipt of a payment',
    ...deskDefaults,
    access: everyone,
    params: IdParam,
    file: ['application/pdf'],
    errors: [...reading, 'not_found', 'document_damaged'],
  },
  'POST /staff/payments/{id}/refunds': {
    summary: 'Refund a payment, or request the refund if a second person has to approve it',
    ...deskDefaults,
    access: everyone,
    confirmed: true,
    params: IdParam,
    body: body({
      amount: PenceInput,
      reason: OneOf(refundReasonCodes),
      note: Reason,
      key: Key,
      // Null if it was not answered; pages of the last release do not ask.
      money_state: Type.Optional(Nullable(OneOf(refundMoneyStates))),
      // The pence of it that are the firm’s money, of a payment with both. Only finance chooses; else the rule decides.
      office: Type.Optional(Nullable(NoPenceOrMore)),
    }),
    data: StaffRefund,
    errors: [...atProvider, 'refund_not_possible', 'refund_above_limit'],
  },
  'GET /staff/payments/{id}/refund-balance': {
    summary: 'Ask the provider from how much money a refund of a payment could be made now',
    ...deskDefaults,
    access: everyone,
    params: IdParam,
    data: RefundBalance,
    errors: [...reading, 'not_found', 'provider_unavailable'],
  },
  'GET /staff/refunds': {
    summary: 'List the refunds that wait for a second person, and the latest others',
    ...deskDefaults,
    access: everyone,
    data: Type.Object({ waiting: Type.Array(ListedRefund), latest: Type.Array(ListedRefund) }),
    errors: [...reading],
  },
  'POST /staff/refunds/{id}/approve': {
    summary: 'Approve a refund that another person has requested, and make it',
    ...deskDefaults,
    access: finance,
    confirmed: true,
    params: IdParam,
    data: StaffRefund,
    errors: [...atProvider, 'refund_not_possible'],
  },
  'POST /staff/refunds/{id}/reject': {
    summary: 'Reject a refund that waits for approval, or withdraw the caller’s own request',
    ...deskDefaults,
    access: everyone,
    confirmed: true,
    params: IdParam,
    body: body({ reason: Reason }),
    data: StaffRefund,
    errors: [...atProvider, 'refund_not_possible'],
  },
  'POST /staff/payments/{id}/review': {
    summary: 'Close the review of a payment',
    ...deskDefaults,
    access: finance,
    confirmed: true,
    params: IdParam,
    body: body({ decision: OneOf(['sync', 'paid', 'cancel']) }),
    data: StaffPaymentPage,
    errors: [...atProvider, 'review_still_open'],
  },
  'POST /staff/payments/{id}/payer-check': {
    summary:
      'Record the check of the person whose card paid, so that the money may be used. Cannot be undone',
    ...deskDefaults,
    access: finance,
    confirmed: true,
    params: IdParam,
    body: body(PayerCheckInput),
    data: StaffPaymentPage,
    errors: [...changing, 'edit_not_possible'],
  },
  'POST /staff/payments/{id}/matter': {
    summary: 'Name the matter of a payment whose client named none. Cannot be undone',
    ...deskDefaults,
    access: finance,
    confirmed: true,
    params: IdParam,
    body: body({ matter_id: IdInput }),
    data: StaffPaymentPage,
    errors: [...changing, 'edit_not_possible'],
  },
  'POST /staff/payments/{id}/allocation': {
    summary: 'Change how much of the payment for a search repays the firm for what it paid first',
    ...deskDefaults,
    access: finance,
    confirmed: true,
    params: IdParam,
    // `former`: the pence that the caller saw, so that no one changes another decision unseen.
    body: body({ office: NoPenceOrMore, reason: Reason, former: NoPenceOrMore }),
    data: StaffPaymentPage,
    errors: [...changing, 'edit_not_possible'],
  },
  'GET /staff/disputes': {
    summary: 'List disputes, open ones first by their deadline, and signals of fraud',
    ...deskDefaults,
    access: everyone,
    data: Type.Object({ disputes: Type.Array(StaffDispute), signals: Type.Array(FraudSignal) }),
    errors: [...reading],
  },
  'GET /staff/payment-notices': {
    summary: 'List problems that stop or endanger payments',
    ...deskDefaults,
    access: everyone,
    data: Type.Array(PaymentNotice),
    errors: [...reading],
  },
  'GET /staff/payment-check': {
    summary: 'Get the latest reconciliation with the provider',
    ...deskDefaults,
    access: finance,
    data: Nullable(PaymentCheck),
    errors: [...reading],
  },
  'POST /staff/payment-check': {
    summary: 'Start a reconciliation with the provider; it takes up to a minute',
    ...deskDefaults,
    access: finance,
    errors: [...changing],
  },
  'GET /staff/ledger': {
    summary: 'Get the ledger of a period',
    ...deskDefaults,
    access: finance,
    query: Type.Object({ from: DayInput, to: DayInput }, { additionalProperties: false }),
    data: StaffLedger,
    errors: [...reading],
  },
  'POST /staff/ledger/fetch': {
    summary: 'Fetch the provider’s balance',
    ...deskDefaults,
    access: finance,
    errors: [...changing, 'provider_unavailable'],
  },
  'POST /staff/ledger/payouts/{id}': {
    summary:
      'Record the day of the bank statement with a payout, or of the transfer of what was taken from it; null removes the day',
    ...deskDefaults,
    access: finance,
    confirmed: true,
    params: Type.Object({ id: Reference }),
    // `former`: the day that the caller saw, so that no one removes another day unseen.
    body: body({ fact: OneOf(payoutFacts), on: Nullable(DayInput), former: Nullable(DayInput) }),
    errors: [...changing, 'edit_not_possible'],
  },
  'GET /staff/ledger/csv': {
    summary: 'Download each movement of a period as a CSV file',
    ...deskDefaults,
    access: finance,
    query: Type.Object(
      {
        from: DayInput,
        to: DayInput,
        /** The name of an export format; the first if it is left out. */
        profile: Type.Optional(Line(60)),
      },
      { additionalProperties: false },
    ),
    file: ['text/csv'],
    errors: [...reading],
  },
  'POST /staff/ledger/preview': {
    summary: 'Show the latest movements in an export format, without storing it',
    ...deskDefaults,
    access: finance,
    body: body({ profile: ExportProfile }),
    data: Type.Object({ headings: Type.Array(Type.String()), rows: Type.Array(Type.Array(Type.String())) }),
    errors: ['unauthenticated', 'not_from_desk', 'factor_required', 'role_not_permitted', 'invalid_input'],
  },
  'POST /staff/payment-links': {
    summary: 'Email a request to pay for a search, a bill or other money',
    ...deskDefaults,
    access: everyone,
    body: body({
      search: Type.Optional(Reference),
      bill: Type.Optional(Reference),
      other: Type.Optional(
        Type.Object(
          { case: Reference, category: OneOf(otherPaymentCategories), amount: PenceInput },
          { additionalProperties: false },
        ),
      ),
      /** The client to email; by default every client of the case. */
      client: Type.Optional(Reference),
      key: Key,
    }),
    data: Type.Array(SentPaymentLink),
    errors: [...changing, 'payments_paused', 'link_not_possible'],
  },
  'GET /staff/cases/{id}/payment-links': {
    summary: 'List the newest fifty payment links of a case',
    ...deskDefaults,
    access: everyone,
    params: IdParam,
    data: Type.Array(StaffPaymentLink),
    errors: [...reading, 'not_found'],
  },
  'POST /staff/payment-links/{id}/withdraw': {
    summary: 'Withdraw a payment link. A search or bill can still be paid without it. Cannot be undone',
    ...deskDefaults,
    access: everyone,
    params: IdParam,
    errors: [...changing, 'link_not_possible'],
  },
} as const satisfies Record<string, StaffCallDefinition>;
