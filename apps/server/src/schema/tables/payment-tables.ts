import type {
  BillLine,
  BillStatus,
  CardWallet,
  DisputeStatus,
  OrderWordingVersion,
  PaymentLine,
  PaymentMethod,
  PaymentStatus,
  PaymentSupplier,
  StoredRefundStatus,
} from '@keyturn/contract';
import type { AllocationCause, RefundMoneyState, StaffRole } from '@keyturn/contract/staff';
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  date,
  doublePrecision,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import type { ProviderName } from '../../platform/provider-names.ts';
import { bytea, instant, timestamps } from './table-columns.ts';

/** The tables of payments; `tables.ts` contains the others. `schema.sql` explains the columns. */

/** What a member of staff recorded about the person whose card paid. */
export interface PayerCheck {
  relationship: string;
  source: string;
  identity: string;
  approved_by: string;
  recorded_by: string;
  recorded_by_staff: string;
  recorded_at: string;
}

/** How much of the payment for a search repays the firm for what it paid first, in pence, and who decided that. */
export interface PaymentAllocation {
  office: number;
  cause: AllocationCause;
  /** Finance's words; null if Keyturn decided. */
  reason: string | null;
  decided_by: string | null;
  decided_by_staff: string | null;
  decided_at: string;
}

/** A line of a payment; one for a line of a bill says which, counted from 0. */
export type StoredPaymentLine = PaymentLine & { bill_line?: number };

export const payments = pgTable('payments', {
  id: uuid('id').primaryKey(),
  caseId: uuid('case_id').notNull(),
  clientId: uuid('client_id').notNull(),
  kind: text('kind').$type<'search' | 'other'>().notNull(),
  method: text('method').$type<PaymentMethod>().notNull().default('card'),
  status: text('status').$type<PaymentStatus>().notNull(),
  amount: integer('amount').notNull(),
  currency: text('currency').$type<'gbp'>().notNull().default('gbp'),
  description: text('description').notNull(),
  category: text('category').notNull(),
  reference: text('reference'),
  matterId: uuid('matter_id'),
  caseSearchId: uuid('case_search_id'),
  billId: uuid('bill_id'),
  billLeft: integer('bill_left'),
  lines: jsonb('lines').$type<StoredPaymentLine[]>().notNull(),
  provider: text('provider').$type<ProviderName>().notNull(),
  providerIntentId: text('provider_intent_id'),
  providerIdempotencyKey: text('provider_idempotency_key').notNull(),
  providerAccountId: text('provider_account_id'),
  providerRevision: integer('provider_revision'),
  orderNow: boolean('order_now'),
  orderNowAt: instant('order_now_at'),
  ownCard: boolean('own_card'),
  payerName: text('payer_name'),
  payerCheck: jsonb('payer_check').$type<PayerCheck>(),
  allocation: jsonb('allocation').$type<PaymentAllocation>(),
  receiptEmail: text('receipt_email'),
  receiptNumber: text('receipt_number'),
  supplier: jsonb('supplier').$type<PaymentSupplier>(),
  cardBrand: text('card_brand'),
  cardLast4: text('card_last4'),
  cardWallet: text('card_wallet').$type<CardWallet>(),
  statementDescriptor: text('statement_descriptor'),
  failureCode: text('failure_code'),
  refundedAmount: integer('refunded_amount').notNull().default(0),
  paidAt: instant('paid_at'),
  lastCause: text('last_cause').notNull(),
  lastProviderEventId: text('last_provider_event_id'),
  confirmedBy: uuid('confirmed_by'),
  cancelRequestedBy: uuid('cancel_requested_by'),
  nextCheckAt: instant('next_check_at').notNull().default(sql`now()`),
  lastPayerId: uuid('last_payer_id'),
  lastPayerAddress: text('last_payer_address'),
  wording: text('wording'),
  orderWording: text('order_wording').$type<OrderWordingVersion>(),
  orderWords: text('order_words'),
  reviewReason: text('review_reason'),
  disputeStatus: text('dispute_status').$type<DisputeStatus>(),
  disputeAmount: integer('dispute_amount'),
  disputeOpenedAt: instant('dispute_opened_at'),
  clearsOn: date('clears_on'),
  clearedAt: instant('cleared_at'),
  failedRefundAmount: integer('failed_refund_amount').notNull().default(0),
  lastRefundId: uuid('last_refund_id'),
  searchReleasedAt: instant('search_released_at'),
  ...timestamps,
});

export const refunds = pgTable('refunds', {
  id: uuid('id').primaryKey(),
  paymentId: uuid('payment_id').notNull(),
  providerRefundId: text('provider_refund_id'),
  amount: integer('amount').notNull(),
  status: text('status').$type<StoredRefundStatus>().notNull(),
  reason: text('reason'),
  note: text('note'),
  requestedBy: text('requested_by'),
  approvedBy: text('approved_by'),
  requestedByStaff: uuid('requested_by_staff'),
  requestedByRole: text('requested_by_role').$type<StaffRole>(),
  approvedByStaff: uuid('approved_by_staff'),
  moneyState: text('money_state').$type<RefundMoneyState>(),
  office: integer('office'),
  requestKey: text('request_key'),
  providerIdempotencyKey: text('provider_idempotency_key'),
  failureReason: text('failure_reason'),
  lastCause: text('last_cause').notNull(),
  lastProviderEventId: text('last_provider_event_id'),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
  failedAt: instant('failed_at'),
});

export const refundChecks = pgTable('refund_checks', {
  provider: text('provider').$type<ProviderName>().primaryKey(),
  listedUntil: instant('listed_until').notNull(),
});

export const paymentCheckReports = pgTable('payment_check_reports', {
  onlyRow: boolean('only_row').primaryKey().default(true),
  checkedAt: instant('checked_at').notNull(),
  since: instant('since').notNull(),
  payments: integer('payments').notNull(),
  intents: integer('intents').notNull(),
  discrepancies: jsonb('discrepancies').$type<{ kind: string; subject: string; found: string }[]>().notNull(),
});

export const bills = pgTable('bills', {
  id: uuid('id').primaryKey(),
  caseId: uuid('case_id').notNull(),
  matterId: uuid('matter_id'),
  reference: text('reference').notNull(),
  number: text('number').notNull(),
  description: text('description').notNull(),
  issuedOn: date('issued_on').notNull(),
  dueOn: date('due_on'),
  dueOnCompletion: boolean('due_on_completion').notNull().default(false),
  net: integer('net').notNull(),
  vatRate: doublePrecision('vat_rate').notNull(),
  vat: integer('vat').notNull(),
  lines: jsonb('lines').$type<BillLine[]>(),
  documentId: uuid('document_id'),
  estimate: integer('estimate'),
  aboveEstimate: text('above_estimate'),
  status: text('status').$type<BillStatus>().notNull(),
  paidOtherwise: integer('paid_otherwise').notNull(),
  feedHash: bytea('feed_hash'),
  feedSentAt: instant('feed_sent_at'),
  ...timestamps,
});

export const paymentChanges = pgTable('payment_changes', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  paymentId: uuid('payment_id').notNull(),
  fromStatus: text('from_status').$type<PaymentStatus>(),
  toStatus: text('to_status').$type<PaymentStatus>().notNull(),
  cause: text('cause').notNull(),
  providerEventId: text('provider_event_id'),
  failureCode: text('failure_code'),
  money: integer('money').notNull(),
  recordedAt: instant('recorded_at').notNull(),
  confirmedBy: uuid('confirmed_by'),
  confirmed: jsonb('confirmed'),
  confirmedFrom: text('confirmed_from'),
  confirmedWording: text('confirmed_wording'),
  reviewReason: text('review_reason'),
  disputeStatus: text('dispute_status').$type<DisputeStatus>(),
  disputeAmount: integer('dispute_amount'),
  clearedAt: instant('cleared_at'),
  cancelledBy: uuid('cancelled_by'),
  refundId: uuid('refund_id'),
  refundStatus: text('refund_status').$type<StoredRefundStatus>(),
  refundAmount: integer('refund_amount'),
  searchReleasedAt: instant('search_released_at'),
  allocation: jsonb('allocation').$type<PaymentAllocation>(),
});

export const paymentAttempts = pgTable('payment_attempts', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  kind: text('kind').$type<'start' | 'decline'>().notNull(),
  paymentId: uuid('payment_id').notNull(),
  clientId: uuid('client_id').notNull(),
  address: bytea('address'),
  providerEventId: text('provider_event_id'),
  happenedAt: instant('happened_at').notNull(),
});

export const paymentMails = pgTable(
  'payment_mails',
  {
    paymentId: uuid('payment_id').notNull(),
    kind: text('kind').$type<'receipt' | 'refund' | 'refund_failed' | 'not_paid'>().notNull(),
    occasion: integer('occasion').notNull(),
    clientId: uuid('client_id').notNull(),
    address: text('address').notNull(),
    amount: integer('amount'),
    refundId: uuid('refund_id'),
    writtenAt: instant('written_at').notNull(),
    sentAt: instant('sent_at'),
    messageId: text('message_id'),
  },
  (table) => [primaryKey({ columns: [table.paymentId, table.kind, table.occasion] })],
);

export const paymentIdempotencyKeys = pgTable(
  'payment_idempotency_keys',
  {
    clientId: uuid('client_id').notNull(),
    key: text('key').notNull(),
    contentHash: bytea('content_hash').notNull(),
    paymentId: uuid('payment_id').notNull(),
    createdAt: timestamps.createdAt,
  },
  (table) => [primaryKey({ columns: [table.clientId, table.key] })],
);

export const providerEvents = pgTable(
  'provider_events',
  {
    provider: text('provider').$type<ProviderName>().notNull(),
    eventId: text('event_id').notNull(),
    type: text('type').notNull(),
    intentId: text('intent_id'),
    body: jsonb('body').notNull(),
    receivedAt: instant('received_at').notNull().default(sql`now()`),
    appliedAt: instant('applied_at'),
    outcome: text('outcome').$type<'applied' | 'stale' | 'ignored' | 'unmatched' | 'mismatched'>(),
    nextCheckAt: instant('next_check_at').notNull().default(sql`now()`),
  },
  (table) => [primaryKey({ columns: [table.provider, table.eventId] })],
);

export const paymentContinuity = pgTable('payment_continuity', {
  onlyRow: boolean('only_row').primaryKey().default(true),
  rounds: bigint('rounds', { mode: 'number' }).notNull().default(0),
  checkedUntil: instant('checked_until').notNull().default(sql`now()`),
  pausedAt: instant('closed_at'),
  pausedReason: text('closed_reason'),
  leftIntents: text('left_intents').array().notNull().default(sql`'{}'`),
});

export const providerAccounts = pgTable('provider_accounts', {
  accountId: text('account_id').primaryKey(),
  provider: text('provider').$type<ProviderName>().notNull(),
  recordedAt: instant('recorded_at').notNull(),
});

export const paymentLinks = pgTable('payment_links', {
  id: uuid('id').primaryKey(),
  clientId: uuid('client_id').notNull(),
  caseId: uuid('case_id').notNull(),
  caseSearchId: uuid('case_search_id'),
  billId: uuid('bill_id'),
  category: text('category'),
  description: text('description').notNull(),
  amount: integer('amount').notNull(),
  requestKey: text('request_key').notNull(),
  createdAt: instant('created_at').notNull(),
  sentAt: instant('sent_at'),
  messageId: text('message_id'),
  openedAt: instant('opened_at'),
  withdrawnAt: instant('withdrawn_at'),
});

export const receiptCounters = pgTable('receipt_counters', {
  year: integer('year').primaryKey(),
  last: integer('last').notNull(),
});

export const receiptFiles = pgTable(
  'receipt_files',
  {
    paymentId: uuid('payment_id').notNull(),
    refundedAmount: integer('refunded_amount').notNull(),
    isCleared: boolean('is_cleared').notNull(),
    clearsOn: date('clears_on'),
    refunds: text('refunds').notNull().default(''),
    dispute: text('dispute').$type<'none' | 'inquiry' | 'open' | 'lost'>().notNull().default('none'),
    sha256: text('sha256').notNull(),
    size: integer('size').notNull(),
    madeAt: instant('made_at').notNull(),
  },
  (table) => [
    unique('receipt_files_facts')
      .on(
        table.paymentId,
        table.refundedAmount,
        table.isCleared,
        table.clearsOn,
        table.refunds,
        table.dispute,
      )
      .nullsNotDistinct(),
  ],
);
