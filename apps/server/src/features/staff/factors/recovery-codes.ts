import { createHash, randomBytes } from 'node:crypto';
import { and, count, eq, isNull } from 'drizzle-orm';
import type { Connection, Transaction } from '../../../platform/database.ts';
import { staffRecoveryCodes } from '../../../platform/tables/staff-tables.ts';

const codesPerMember = 10;

/** Replaces the recovery codes of a member. @returns the codes, which cannot be read again */
export async function replaceRecoveryCodes(
  transaction: Transaction,
  staffId: string,
  now: Date,
): Promise<string[]> {
  const codes = Array.from({ length: codesPerMember }, newCode);
  await deleteRecoveryCodes(transaction, staffId);
  await transaction
    .insert(staffRecoveryCodes)
    .values(codes.map((code) => ({ codeHash: hashOf(code), staffId, createdAt: now })));
  return codes;
}

export const deleteRecoveryCodes = (transaction: Transaction, staffId: string) =>
  transaction.delete(staffRecoveryCodes).where(eq(staffRecoveryCodes.staffId, staffId));

/** Counts the recovery codes that a member can still use. */
export async function countRecoveryCodes(connection: Connection, staffId: string): Promise<number> {
  const [row] = await connection.select({ codes: count() }).from(staffRecoveryCodes).where(unused(staffId));
  return row?.codes ?? 0;
}

/** Tells whether an unused recovery code of the member matches. */
export async function isRecoveryCode(
  connection: Connection,
  staffId: string,
  code: string,
): Promise<boolean> {
  const [row] = await connection
    .select({ staffId: staffRecoveryCodes.staffId })
    .from(staffRecoveryCodes)
    .where(and(unused(staffId), eq(staffRecoveryCodes.codeHash, hashOf(code))));
  return row !== undefined;
}

/** Consumes a recovery code. @returns false if it was used meanwhile */
export async function consumeRecoveryCode(
  connection: Connection,
  { staffId, code, now }: { staffId: string; code: string; now: Date },
): Promise<boolean> {
  const { rowCount } = await connection
    .update(staffRecoveryCodes)
    .set({ usedAt: now })
    .where(and(unused(staffId), eq(staffRecoveryCodes.codeHash, hashOf(code))));
  return rowCount === 1;
}

const unused = (staffId: string) =>
  and(eq(staffRecoveryCodes.staffId, staffId), isNull(staffRecoveryCodes.usedAt));

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
