import type { disputes, earlyFraudWarnings, providerReviews } from '../../schema/tables/dispute-tables.ts';

export type DisputeRow = typeof disputes.$inferSelect;
export type FraudWarningRow = typeof earlyFraudWarnings.$inferSelect;
export type ProviderReviewRow = typeof providerReviews.$inferSelect;
