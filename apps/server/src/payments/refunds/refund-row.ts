import type { refunds } from '../../schema/tables/payment-tables.ts';

/** A refund as it is stored. */
export type RefundRow = typeof refunds.$inferSelect;
