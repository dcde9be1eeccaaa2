import { and, count, eq, gt, isNull, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Transaction } from '../database.ts';
import { integrationNotPossible } from '../domain-error.ts';

/** The stored secrets of feed keys or of webhook endpoints. Each belongs to one key or endpoint, its owner. */
export type SecretTable = PgTable & { ownerId: PgColumn; expiresAt: PgColumn };

/** The maximum number of valid secrets of one owner. */
/** A webhook message has a signature for each. */
const maxSecrets = 5;

/** Returns the condition that a secret or a key has not expired. */
export const isUnexpired = ({ expiresAt }: { expiresAt: PgColumn }, now: Date): SQL =>
  sql`(${isNull(expiresAt)} or ${gt(expiresAt, now)})`;

/** Selects the secrets of an owner that are valid at a time. */
export const isValidSecretOf = (table: SecretTable, ownerId: string, at: Date): SQL | undefined =>
  and(eq(table.ownerId, ownerId), isUnexpired(table, at));

/**
 * Limits how many owners there are. No other transaction counts them until this one ends.
 * @param limit.name the lock's name
 * @param limit.reached the message for people, once there are as many as allowed
 * @throws DomainError `integration_state`
 */
export async function assertBelowLimit(
  transaction: Transaction,
  owners: PgTable,
  limit: { name: string; counted: SQL | undefined; max: number; reached: string },
): Promise<void> {
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${limit.name}, 0))`);
  if ((await countRows(transaction, owners, limit.counted)) >= limit.max)
    throw integrationNotPossible(limit.reached);
}

/**
 * Lets the secrets of a locked owner expire, so that a new one can be stored. A secret whose overlap is already running
 * keeps its earlier end.
 * @param request.overlap milliseconds for which the previous secret still works
 * @returns what the audit log says of the replacement
 * @throws DomainError `integration_state`
 */
export async function expireSecrets(
  transaction: Transaction,
  table: SecretTable,
  { ownerId, overlap, now }: { ownerId: string; overlap: number; now: Date },
): Promise<{ former_valid_until: string }> {
  if (
    overlap > 0 &&
    (await countRows(transaction, table, isValidSecretOf(table, ownerId, now))) >= maxSecrets
  )
    throw integrationNotPossible(
      `${maxSecrets} of its secrets are valid. Wait until one has expired, or choose an overlap of 0 hours.`,
    );
  const end = new Date(now.getTime() + overlap);
  await transaction
    .update(table)
    .set({ expiresAt: end })
    .where(isValidSecretOf(table, ownerId, end));
  return { former_valid_until: end.toISOString() };
}

const countRows = async (transaction: Transaction, table: PgTable, condition: SQL | undefined) => {
  const [counted] = await transaction.select({ rows: count() }).from(table).where(condition);
  return counted?.rows ?? 0;
};
