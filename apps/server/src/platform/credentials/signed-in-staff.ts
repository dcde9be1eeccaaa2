import type { StaffRole } from '@keyturn/contract/staff';
import { sql } from 'drizzle-orm';
import type { Transaction } from '../database.ts';

/** A signed-in staff member and their session. */
export interface SignedInStaff {
  id: string;
  email: string;
  name: string | null;
  role: StaffRole;
  createdAt: Date;
  sessionId: string;
  /** SHA-256 of the token. */
  sessionHash: Buffer;
  expiresAt: Date;
  /** When the member last proved who they are. */
  confirmedAt: Date;
  /** Whether a second factor must be added before anything else. */
  mustAddFactor: boolean;
}

/**
 * Checks that a session has not ended since its request was admitted, and locks it until the transaction ends.
 * A change of role or state ends sessions too.
 */
export async function isSessionOpen(
  transaction: Transaction,
  { sessionHash }: Pick<SignedInStaff, 'sessionHash'>,
): Promise<boolean> {
  const { rows } = await transaction.execute(
    sql`select from staff_sessions where token_hash = ${sessionHash} and ended_at is null for share`,
  );
  return rows.length > 0;
}
