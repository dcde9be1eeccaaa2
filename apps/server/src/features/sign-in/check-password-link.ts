import { and, eq, gt, isNull } from 'drizzle-orm';
import type { Clock } from '../../platform/clock.ts';
import type { Connection } from '../../platform/database.ts';
import { passwordLinks } from '../../platform/tables.ts';
import { hashOfLinkToken } from './send-password-link.ts';

/**
 * Whether a link still works; it is not used up. A token is 256 bits that only its mail has: who asks for one learns
 * no more than by setting a password with it.
 */
export async function isPasswordLinkOpen(
  { database, clock }: { database: Connection; clock: Clock },
  token: string,
): Promise<boolean> {
  const [link] = await database
    .select({ expiresAt: passwordLinks.expiresAt })
    .from(passwordLinks)
    .where(openLink(token, clock()));
  return link !== undefined;
}

/** The link of a token, where it is neither used nor over. */
export const openLink = (token: string, now: Date) =>
  and(
    eq(passwordLinks.tokenHash, hashOfLinkToken(token)),
    isNull(passwordLinks.usedAt),
    gt(passwordLinks.expiresAt, now),
  );
