import { and, eq } from 'drizzle-orm';
import type { Connection } from '../../../platform/database.ts';
import { deleteExpiredRows } from '../../../platform/tables/delete-expired-rows.ts';
import { staffChallenges } from '../../../platform/tables/staff-tables.ts';

/** A browser, and the purpose for which it uses a passkey. */
export interface ChallengeFor {
  /** SHA-256 of the browser's cookie. */
  browserHash: Buffer;
  purpose: 'sign_in' | 'add' | 'confirm';
}

/** Seconds. */
export const challengeLifetime = 300;

/** Stores a challenge, in place of an earlier one of the same browser and purpose. */
export async function saveChallenge(
  connection: Connection,
  { browserHash, purpose }: ChallengeFor,
  challenge: string,
  now: Date,
): Promise<void> {
  // Anyone can start a sign-in, so old rows must be deleted.
  const expired = { table: staffChallenges, age: staffChallenges.expiresAt };
  await deleteExpiredRows(connection, expired, now, { batchSize: 100, maxBatches: 1 });
  const stored = { challenge, expiresAt: new Date(now.getTime() + challengeLifetime * 1_000) };
  await connection
    .insert(staffChallenges)
    .values({ browserHash, purpose, ...stored })
    .onConflictDoUpdate({ target: [staffChallenges.browserHash, staffChallenges.purpose], set: stored });
}

/** Consumes the challenge of a browser and returns it; null if there is none or it has expired. */
export async function consumeChallenge(
  connection: Connection,
  { browserHash, purpose }: ChallengeFor,
  now: Date,
): Promise<string | null> {
  const [consumed] = await connection
    .delete(staffChallenges)
    .where(and(eq(staffChallenges.browserHash, browserHash), eq(staffChallenges.purpose, purpose)))
    .returning();
  return consumed && consumed.expiresAt > now ? consumed.challenge : null;
}
