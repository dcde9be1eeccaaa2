import { and, eq, isNull } from 'drizzle-orm';
import type { Transaction } from '../../platform/database.ts';
import { knownDevices, passwordLinks, sessions } from '../../schema/tables/tables.ts';
import { endSessionsOf } from '../credentials/account-sessions.ts';

/**
 * Ends a client’s sessions, and makes their password links and known devices useless. Call it in the
 * transaction that changes how the client signs in, after the change.
 * @param ending.except the hash of a session that continues
 */
export async function endClientAccess(
  transaction: Transaction,
  ending: { clientId: string; now: Date; except?: Buffer },
): Promise<void> {
  const { clientId, ...options } = ending;
  await consumePasswordLinks(transaction, ending);
  await endSessionsOf(transaction, sessions, { ownerId: clientId, ...options });
  await transaction.delete(knownDevices).where(eq(knownDevices.clientId, clientId));
}

/** Makes every password link of a client useless. */
export const consumePasswordLinks = (
  transaction: Transaction,
  { clientId, now }: { clientId: string; now: Date },
) =>
  transaction
    .update(passwordLinks)
    .set({ usedAt: now })
    .where(and(eq(passwordLinks.clientId, clientId), isNull(passwordLinks.usedAt)));
