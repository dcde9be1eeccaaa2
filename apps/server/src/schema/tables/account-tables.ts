import { boolean, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { ProviderName } from '../../platform/provider-names.ts';
import { day, instant } from './table-columns.ts';

/** The tables of the firm's money at its payment providers. `schema.sql` explains the columns. */

/** The movements of the firm's balance at a payment provider. */
export type BalanceKind =
  | 'charge'
  | 'refund'
  | 'refund_failure'
  | 'dispute'
  | 'dispute_reversal'
  | 'fee'
  | 'payout'
  | 'payout_failure'
  | 'other';

export type PayoutStatus = 'pending' | 'in_transit' | 'paid' | 'failed' | 'cancelled';

export const balanceTransactions = pgTable(
  'balance_transactions',
  {
    provider: text('provider').$type<ProviderName>().notNull(),
    transactionId: text('transaction_id').notNull(),
    kind: text('kind').$type<BalanceKind>().notNull(),
    amount: integer('amount').notNull(),
    fee: integer('fee').notNull(),
    currency: text('currency').notNull(),
    intentId: text('intent_id'),
    refundId: text('refund_id'),
    createdAt: instant('created_at').notNull(),
    availableOn: day('available_on').notNull(),
    payoutId: text('payout_id'),
    fetchedAt: instant('fetched_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.transactionId] })],
);

export const payouts = pgTable(
  'payouts',
  {
    provider: text('provider').$type<ProviderName>().notNull(),
    payoutId: text('payout_id').notNull(),
    amount: integer('amount').notNull(),
    currency: text('currency').notNull(),
    status: text('status').$type<PayoutStatus>().notNull(),
    arrivesOn: day('arrives_on').notNull(),
    createdAt: instant('created_at').notNull(),
    isItemised: boolean('is_itemised').notNull(),
    itemisedAt: instant('itemised_at'),
    matchedOn: day('matched_on'),
    matchedBy: text('matched_by'),
    matchedByStaff: uuid('matched_by_staff'),
    toTransfer: integer('to_transfer'),
    moved: integer('moved').notNull().default(0),
    transferredOn: day('transferred_on'),
    transferredBy: text('transferred_by'),
    transferredByStaff: uuid('transferred_by_staff'),
    precedesMatching: boolean('precedes_matching').notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.provider, table.payoutId] })],
);

export const balanceFetches = pgTable('balance_fetches', {
  provider: text('provider').$type<ProviderName>().primaryKey(),
  fetchedAt: instant('fetched_at').notNull(),
});
