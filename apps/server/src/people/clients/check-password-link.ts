import { and, eq, gt, isNull } from 'drizzle-orm';
import type { Clock } from '../../platform/clock.ts';
import { hashToken } from '../../platform/credentials/hash-token.ts';
import type { Connection } from '../../platform/database.ts';
import { passwordLinks } from '../../schema/tables/tables.ts';

/**
 * Returns the id of the client whose password link still works; null for any other. Checking does not consume the
 * link, and reveals nothing new: a token has 256 random bits, and setting a password with it would give the same
 * answer.
 */
export async function findClientOfLink(
  { database, clock }: { database: Connection; clock: Clock },
  token: string,
): Promise<string | null> {
  const [link] = await database
    .select({ clientId: passwordLinks.clientId })
    .from(passwordLinks)
    .where(validLink(token, clock()));
  return link?.clientId ?? null;
}

/** Condition for the link of a token that is neither used nor expired. */
export const validLink = (token: string, now: Date) =>
  and(
    eq(passwordLinks.tokenHash, hashToken(token)),
    isNull(passwordLinks.usedAt),
    gt(passwordLinks.expiresAt, now),
  );
