import { createHash, randomBytes } from 'node:crypto';
import { and, count, eq, isNull } from 'drizzle-orm';
import type { Connection, Transaction } from '../../../platform/database.ts';
import type { FactorTables } from '../../../schema/tables/factor-tables.ts';

type Codes = FactorTables['recoveryCodes'];

const codesPerAccount = 10;

/** Replaces the recovery codes of an account. @returns the codes, which cannot be read again */
export async function replaceRecoveryCodes(
  transaction: Transaction,
  table: Codes,
  ownerId: string,
  now: Date,
): Promise<string[]> {
  const codes = Array.from({ length: codesPerAccount }, newCode);
  await deleteRecoveryCodes(transaction, table, ownerId);
  await transaction
    .insert(table)
    .values(codes.map((code) => ({ codeHash: hashOf(code), ownerId, createdAt: now })));
  return codes;
}

export const deleteRecoveryCodes = (transaction: Transaction, table: Codes, ownerId: string) =>
  transaction.delete(table).where(eq(table.ownerId, ownerId));

/** Counts the recovery codes that an account can still use. */
export async function countRecoveryCodes(
  connection: Connection,
  table: Codes,
  ownerId: string,
): Promise<number> {
  const [row] = await connection.select({ codes: count() }).from(table).where(unused(table, ownerId));
  return row?.codes ?? 0;
}

/** Finds a recovery code of the account, also one that was used or that a restore has disabled. */
export async function findRecoveryCode(
  connection: Connection,
  table: Codes,
  ownerId: string,
  code: string,
): Promise<Codes['$inferSelect'] | undefined> {
  const [row] = await connection
    .select()
    .from(table)
    .where(and(eq(table.ownerId, ownerId), eq(table.codeHash, hashOf(code))));
  return row;
}

/** Consumes a recovery code. @returns false if it was used meanwhile */
export async function consumeRecoveryCode(
  connection: Connection,
  table: Codes,
  { ownerId, code, now }: { ownerId: string; code: string; now: Date },
): Promise<boolean> {
  const { rowCount } = await connection
    .update(table)
    .set({ usedAt: now })
    .where(and(unused(table, ownerId), eq(table.codeHash, hashOf(code))));
  return rowCount === 1;
}

const unused = (table: Codes, ownerId: string) => and(eq(table.ownerId, ownerId), isNull(table.usedAt));

/** An alphabet without letters that look like digits. */
const letters = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * 80 random bits, in four groups, such as `7k3m-x0pa-92hd-v5qt`. With so many random bits, the hash needs no salt.
 */
const newCode = () =>
  [...randomBytes(16)]
    .map((byte, index) => (index > 0 && index % 4 === 0 ? '-' : '') + letters.charAt(byte % letters.length))
    .join('');

/** Normalises a code, because people leave out hyphens, and phones write capitals. */
const hashOf = (code: string) =>
  createHash('sha256')
    .update(code.toLowerCase().replaceAll(/[^0-9a-z]/g, ''))
    .digest();
