import { eq } from 'drizzle-orm';
import { DomainError } from '../../../platform/domain-error.ts';
import { runTransaction } from '../../../platform/run-transaction.ts';
import { clients } from '../../../schema/tables/tables.ts';
import type { FactorDependencies } from '../../credentials/factors/factor-rules.ts';
import { type SentPasskey, signInWithPasskey } from '../../credentials/factors/passkeys.ts';
import { lockClient } from '../record/client-rows.ts';
import { type SignedIn, type SignInDependencies, type SignInOutcome, startSession } from '../sign-in.ts';

/**
 * Signs a client in with a passkey, which is two factors in one.
 * @param sent.device the token of the caller’s device; null without one
 * @throws DomainError `passkey_rejected`, `too_many_login_attempts`
 */
export async function signInClientWithPasskey(
  dependencies: SignInDependencies & FactorDependencies,
  sent: SentPasskey & {
    device: string | null;
    userAgent: string | null;
    newToken?: string | undefined;
    about?(subject: { client: string }): void;
  },
): Promise<SignedIn> {
  const { database, devices, onSignIn } = dependencies;
  let isKnownDevice = false;
  const count = (outcome: SignInOutcome['outcome']) =>
    onSignIn?.({ outcome, device: isKnownDevice ? 'known' : 'unknown' });
  const signingIn = signInWithPasskey(dependencies, sent, async ({ ownerId, accept }) => {
    const [client] = await database
      .select({ email: clients.email })
      .from(clients)
      .where(eq(clients.id, ownerId));
    if (!client) return null;
    sent.about?.({ client: ownerId });
    isKnownDevice = await devices.isKnown(sent.device, client.email);
    return runTransaction(database, async (transaction) => {
      await lockClient(transaction, ownerId);
      if (!(await accept(transaction))) return null;
      const { address, device, userAgent, newToken } = sent;
      return startSession(dependencies, transaction, {
        clientId: ownerId,
        passwordHash: null,
        address,
        device,
        userAgent,
        newToken,
        signedInWith: 'passkey',
        isKnownDevice,
      });
    });
  });
  try {
    const signedIn = await signingIn;
    count('signed_in');
    return signedIn;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'passkey_rejected') count('wrong');
    if (error instanceof DomainError && error.code === 'too_many_login_attempts') count('throttled');
    throw error;
  }
}
