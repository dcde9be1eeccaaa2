import type { payments } from '../../schema/tables/payment-tables.ts';

export type PaymentRow = typeof payments.$inferSelect;
export type NewPayment = typeof payments.$inferInsert;
/** Columns to change, with the cause of the change for the record. */
export type PaymentChange = Partial<NewPayment> & { lastCause: string };
