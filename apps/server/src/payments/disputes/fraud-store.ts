import { and, desc, eq, sql } from 'drizzle-orm';
import type { Connection, Transaction } from '../../platform/database.ts';
import { newId } from '../../platform/ids.ts';
import { earlyFraudWarnings, providerReviews } from '../../schema/tables/dispute-tables.ts';
import { payments } from '../../schema/tables/payment-tables.ts';
import type { FraudWarningRow, PaymentRow, ProviderReviewRow } from '../records/rows.ts';

/** The SQL of early fraud warnings and of the provider's reviews. */

type Stored<Row> = Omit<Row, 'id' | 'createdAt' | 'updatedAt'>;

export async function findFraudWarning(
  connection: Connection,
  query: Pick<FraudWarningRow, 'provider' | 'providerWarningId'>,
): Promise<FraudWarningRow | undefined> {
  const [row] = await connection
    .select()
    .from(earlyFraudWarnings)
    .where(
      and(
        eq(earlyFraudWarnings.provider, query.provider),
        eq(earlyFraudWarnings.providerWarningId, query.providerWarningId),
      ),
    );
  return row;
}

/** Stores the state of a warning. */
export async function storeFraudWarning(
  transaction: Transaction,
  warning: Stored<FraudWarningRow>,
): Promise<void> {
  await transaction
    .insert(earlyFraudWarnings)
    .values({ id: newId(), ...warning })
    .onConflictDoUpdate({
      target: [earlyFraudWarnings.provider, earlyFraudWarnings.providerWarningId],
      set: { ...warning, updatedAt: sql`now()` },
    });
}

export async function findReview(
  connection: Connection,
  query: Pick<ProviderReviewRow, 'provider' | 'providerReviewId'>,
): Promise<ProviderReviewRow | undefined> {
  const [row] = await connection
    .select()
    .from(providerReviews)
    .where(
      and(
        eq(providerReviews.provider, query.provider),
        eq(providerReviews.providerReviewId, query.providerReviewId),
      ),
    );
  return row;
}

/** Stores the state of a review. */
export async function storeReview(
  transaction: Transaction,
  review: Stored<ProviderReviewRow>,
): Promise<void> {
  await transaction
    .insert(providerReviews)
    .values({ id: newId(), ...review })
    .onConflictDoUpdate({
      target: [providerReviews.provider, providerReviews.providerReviewId],
      set: { ...review, updatedAt: sql`now()` },
    });
}

/** Finds the provider's ids of the warnings that a refund would still resolve. */
export async function findActionableWarningIds(
  connection: Connection,
  provider: PaymentRow['provider'],
): Promise<string[]> {
  const rows = await connection
    .select({ id: earlyFraudWarnings.providerWarningId })
    .from(earlyFraudWarnings)
    .where(and(eq(earlyFraudWarnings.provider, provider), earlyFraudWarnings.isActionable));
  return rows.map(({ id }) => id);
}

/** Finds the provider's ids of the open reviews. */
export async function findOpenReviewIds(
  connection: Connection,
  provider: PaymentRow['provider'],
): Promise<string[]> {
  const rows = await connection
    .select({ id: providerReviews.providerReviewId })
    .from(providerReviews)
    .where(and(eq(providerReviews.provider, provider), providerReviews.isOpen));
  return rows.map(({ id }) => id);
}

/** Finds every warning with its payment, actionable ones first, then the latest. */
export const findFraudWarnings = (connection: Connection) =>
  connection
    .select({ warning: earlyFraudWarnings, payment: payments })
    .from(earlyFraudWarnings)
    .innerJoin(payments, eq(payments.id, earlyFraudWarnings.paymentId))
    .orderBy(desc(earlyFraudWarnings.isActionable), desc(earlyFraudWarnings.warnedAt));

/** Finds the open reviews with their payments, the latest first. */
export const findOpenReviews = (connection: Connection) =>
  connection
    .select({ review: providerReviews, payment: payments })
    .from(providerReviews)
    .innerJoin(payments, eq(payments.id, providerReviews.paymentId))
    .where(eq(providerReviews.isOpen, true))
    .orderBy(desc(providerReviews.openedAt));
