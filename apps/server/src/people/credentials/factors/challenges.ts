import { and, eq } from 'drizzle-orm';
import type { Connection } from '../../../platform/database.ts';
import { deleteExpiredRows } from '../../../schema/tables/delete-expired-rows.ts';
import type { FactorTables } from '../../../schema/tables/factor-tables.ts';

type Challenges = FactorTables['challenges'];

/** A browser, and the purpose for which it uses a passkey. */
export interface ChallengeFor {
  /** SHA-256 of the browser's cookie, or of the token of its session. */
  browserHash: Buffer;
  purpose: 'sign_in' | 'add' | 'confirm';
}

/** Seconds. */
export const challengeLifetime = 300;

/** Stores a challenge, in place of an earlier one of the same browser and purpose. */
export async function saveChallenge(
  connection: Connection,
  table: Challenges,
  { browserHash, purpose, challenge, now }: ChallengeFor & { challenge: string; now: Date },
): Promise<void> {
  // Anyone can start a sign-in, so old rows must be deleted.
  const expired = { table, age: table.expiresAt };
  await deleteExpiredRows(connection, expired, now, { batchSize: 100, maxBatches: 1 });
  const stored = { challenge, expiresAt: new Date(now.getTime() + challengeLifetime * 1_000) };
  await connection
    .insert(table)
    .values({ browserHash, purpose, ...stored })
    .onConflictDoUpdate({ target: [table.browserHash, table.purpose], set: stored });
}

/** Consumes the challenge of a browser and returns it; null if there is none or it has expired. */
export async function consumeChallenge(
  connection: Connection,
  table: Challenges,
  { browserHash, purpose, now }: ChallengeFor & { now: Date },
): Promise<string | null> {
  const [consumed] = await connection
    .delete(table)
    .where(and(eq(table.browserHash, browserHash), eq(table.purpose, purpose)))
    .returning();
  return consumed && consumed.expiresAt > now ? consumed.challenge : null;
}
