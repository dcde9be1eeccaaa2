import { and, eq, gt, isNull } from 'drizzle-orm';
import type { Clock } from '../../platform/clock.ts';
import type { Connection } from '../../platform/database.ts';
import { passwordLinks } from '../../platform/tables.ts';
import { hashOfLinkToken } from './send-password-link.ts';

/**
 * Whether a password link still works. Checking does not use it up. It reveals nothing new: a token has 256 random bits,
 * and setting a password with it would give the same answer.
 */
export async function isPasswordLinkValid(
  { database, clock }: { database: Connection; clock: Clock },
  token: string,
): Promise<boolean> {
  const [link] = await database
    .select({ expiresAt: passwordLinks.expiresAt })
    .from(passwordLinks)
    .where(validLink(token, clock()));
  return link !== undefined;
}

/** Condition for the link of a token that is neither used nor expired. */
export const validLink = (token: string, now: Date) =>
  and(
    eq(passwordLinks.tokenHash, hashOfLinkToken(token)),
    isNull(passwordLinks.usedAt),
    gt(passwordLinks.expiresAt, now),
  );
