import { boolean, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { ProviderName } from '../../platform/provider-names.ts';
import { instant, timestamps } from './table-columns.ts';

/** The tables of disputes, early fraud warnings and reviews. `schema.sql` explains the columns. */

export const disputes = pgTable('disputes', {
  id: uuid('id').primaryKey(),
  paymentId: uuid('payment_id').notNull(),
  provider: text('provider').$type<ProviderName>().notNull(),
  providerDisputeId: text('provider_dispute_id').notNull(),
  isInquiry: boolean('is_inquiry').notNull(),
  status: text('status').$type<'needs_response' | 'under_review' | 'closed'>().notNull(),
  outcome: text('outcome').$type<'won' | 'lost' | 'inquiry_closed' | 'prevented'>(),
  reason: text('reason').notNull(),
  reasonCode: text('reason_code'),
  amount: integer('amount').notNull(),
  openedAt: instant('opened_at').notNull(),
  evidenceDueBy: instant('evidence_due_by'),
  submissions: integer('submissions').notNull().default(0),
  submittedAt: instant('submitted_at'),
  closedAt: instant('closed_at'),
  withdrawnAmount: integer('withdrawn_amount').notNull().default(0),
  withdrawnAt: instant('withdrawn_at'),
  reinstatedAmount: integer('reinstated_amount').notNull().default(0),
  reinstatedAt: instant('reinstated_at'),
  observedAt: instant('observed_at').notNull(),
  ...timestamps,
});

export const disputeReminders = pgTable(
  'dispute_reminders',
  {
    disputeId: uuid('dispute_id').notNull(),
    dueBy: instant('due_by').notNull(),
    days: integer('days').notNull(),
    sentAt: instant('sent_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.disputeId, table.dueBy, table.days] })],
);

export const earlyFraudWarnings = pgTable('early_fraud_warnings', {
  id: uuid('id').primaryKey(),
  paymentId: uuid('payment_id').notNull(),
  provider: text('provider').$type<ProviderName>().notNull(),
  providerWarningId: text('provider_warning_id').notNull(),
  fraudType: text('fraud_type').notNull(),
  isActionable: boolean('is_actionable').notNull(),
  warnedAt: instant('warned_at').notNull(),
  observedAt: instant('observed_at').notNull(),
  ...timestamps,
});

export const providerReviews = pgTable('provider_reviews', {
  id: uuid('id').primaryKey(),
  paymentId: uuid('payment_id').notNull(),
  provider: text('provider').$type<ProviderName>().notNull(),
  providerReviewId: text('provider_review_id').notNull(),
  isOpen: boolean('is_open').notNull(),
  openedReason: text('opened_reason').notNull(),
  closedReason: text('closed_reason'),
  openedAt: instant('opened_at').notNull(),
  observedAt: instant('observed_at').notNull(),
  ...timestamps,
});

export const disputeLookups = pgTable(
  'dispute_lookups',
  {
    provider: text('provider').$type<ProviderName>().notNull(),
    subject: text('subject').$type<'dispute' | 'fraud_warning' | 'review'>().notNull(),
    lookedAt: instant('looked_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.subject] })],
);

export const ignoredDisputeObjects = pgTable(
  'ignored_dispute_objects',
  {
    provider: text('provider').$type<ProviderName>().notNull(),
    objectId: text('object_id').notNull(),
    ignoredAt: instant('ignored_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.objectId] })],
);
