import { eq, sql } from 'drizzle-orm';
import type { FactorDependencies } from '../../../platform/credentials/factors/factor-rules.ts';
import { type SentPasskey, signInWithPasskey } from '../../../platform/credentials/factors/passkeys.ts';
import { clients } from '../../../platform/tables/tables.ts';
import { type SignedIn, type SignInDependencies, startSession } from '../sign-in.ts';

/**
 * Signs a client in with a passkey, which is two factors in one.
 * @param sent.device the token of the caller’s device; null without one
 * @throws DomainError `passkey_rejected`, `too_many_login_attempts`
 */
export const signInClientWithPasskey = (
  dependencies: SignInDependencies & FactorDependencies,
  sent: SentPasskey & {
    device: string | null;
    userAgent: string | null;
    about?(subject: { client: string }): void;
  },
): Promise<SignedIn> =>
  signInWithPasskey(dependencies, sent, async ({ ownerId, accept }) => {
    const { database, devices, onSignIn } = dependencies;
    const [client] = await database
      .select({ email: clients.email })
      .from(clients)
      .where(eq(clients.id, ownerId));
    if (!client) return null;
    sent.about?.({ client: ownerId });
    const isKnownDevice =
      sent.device !== null && (await devices.isKnown(sent.device, client.email.toLowerCase()));
    const signedIn = await database.transaction(async (transaction) => {
      // Always locked first, because another order could deadlock with a reset.
      await transaction.execute(sql`select from clients where id = ${ownerId} for update`);
      if (!(await accept(transaction))) return null;
      const { address, device, userAgent } = sent;
      return startSession(dependencies, transaction, {
        clientId: ownerId,
        passwordHash: null,
        address,
        device,
        userAgent,
        signedInWith: 'passkey',
        isKnownDevice,
      });
    });
    if (signedIn) onSignIn?.({ outcome: 'signed_in', device: isKnownDevice ? 'known' : 'unknown' });
    return signedIn;
  });
