import { eq } from 'drizzle-orm';
import type { Clock } from '../../platform/clock.ts';
import type { Transaction } from '../../platform/database.ts';
import { clientFactorTables } from '../../schema/tables/factor-tables.ts';
import { clients } from '../../schema/tables/tables.ts';
import { deleteFactors } from '../credentials/factors/factors.ts';
import { deletePendingChange, isInDoubt, restoreFirmAddress } from './email-change/email-change-rules.ts';
import { endClientAccess } from './end-access.ts';
import { requestPasswordLink } from './password-link-mail.ts';

type ResetClient = Pick<
  typeof clients.$inferSelect,
  'id' | 'email' | 'replacedFeedEmail' | 'unrestoredEmail'
>;

/**
 * Removes a client’s password and second factors, cancels a change of their email address, ends their sessions, and emails
 * them a link to start again: for a client who has lost everything that they sign in with. The caller locks the client,
 * and audits the reset.
 * @param options.restoresAddress whether to undo the client’s own change of the email address first, because someone else made
 *   it
 * @returns the address to which the link goes; null if nothing was reset, because there is no earlier address to restore,
 *   another client has it, or the current one is in doubt
 */
export async function resetSignIn(
  { clock }: { clock: Clock },
  transaction: Transaction,
  client: ResetClient,
  { restoresAddress = false } = {},
): Promise<string | null> {
  const now = clock();
  const { id } = client;
  const current = isInDoubt(client) ? null : client.email;
  const email = restoresAddress ? await restoreFirmAddress(transaction, client, now) : current;
  if (email === null) return null;
  await transaction
    .update(clients)
    .set({ passwordHash: null, hasShortPassword: false, unrestoredEmail: null, updatedAt: now })
    .where(eq(clients.id, id));
  await deleteFactors(transaction, clientFactorTables, id);
  // Someone else may have started it, and could take over the account with the link in its email.
  await deletePendingChange(transaction, id);
  await endClientAccess(transaction, { clientId: id, now });
  await requestPasswordLink(transaction, email, 'reset', { isFromFirm: true });
  return email;
}
