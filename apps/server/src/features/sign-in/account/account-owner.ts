import { eq } from 'drizzle-orm';
import type { Clock } from '../../../platform/clock.ts';
import type { FactorOwner } from '../../../platform/credentials/factors/factor-rules.ts';
import type { Connection } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { clients, sessions } from '../../../platform/tables/tables.ts';

/** The request of a signed-in client. */
interface SignedInRequest {
  client: { id: string; sessionHash: Buffer };
  /** IP address. */
  address: string;
}

/** Reads the client who makes a call about their own account. @throws DomainError `unauthenticated` */
export async function findOwner(
  connection: Connection,
  { client, address }: SignedInRequest,
): Promise<FactorOwner> {
  const [stored] = await connection
    .select({ email: clients.email, firstName: clients.firstName, lastName: clients.lastName })
    .from(clients)
    .where(eq(clients.id, client.id));
  if (!stored) throw new DomainError('unauthenticated');
  const { email, firstName, lastName } = stored;
  return { ...client, email, name: `${firstName} ${lastName}`, address };
}

/** Seconds for which a confirmed identity is enough to change how a client signs in. */
const confirmationLifetime = 10 * 60;

/**
 * Requires that the client proved who they are within the last ten minutes, for everything that a stolen session must
 * not do.
 * @throws DomainError `identity_not_confirmed`, `unauthenticated`
 */
export async function assertRecentlyConfirmed(
  { database, clock }: { database: Connection; clock: Clock },
  sessionHash: Buffer,
): Promise<void> {
  const [session] = await database
    .select({ confirmedAt: sessions.confirmedAt })
    .from(sessions)
    .where(eq(sessions.tokenHash, sessionHash));
  if (!session) throw new DomainError('unauthenticated');
  const age = clock().getTime() - session.confirmedAt.getTime();
  if (age >= confirmationLifetime * 1_000) throw new DomainError('identity_not_confirmed');
}
