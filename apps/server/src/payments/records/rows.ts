import type { disputes, earlyFraudWarnings, providerReviews } from '../../schema/tables/dispute-tables.ts';
import type { payments, refunds } from '../../schema/tables/payment-tables.ts';

export type PaymentRow = typeof payments.$inferSelect;
export type NewPayment = typeof payments.$inferInsert;
/** Columns to change, with the cause of the change for the record. */
export type PaymentChange = Partial<NewPayment> & { lastCause: string };

/** A refund as it is stored. */
export type RefundRow = typeof refunds.$inferSelect;

export type DisputeRow = typeof disputes.$inferSelect;
export type FraudWarningRow = typeof earlyFraudWarnings.$inferSelect;
export type ProviderReviewRow = typeof providerReviews.$inferSelect;
