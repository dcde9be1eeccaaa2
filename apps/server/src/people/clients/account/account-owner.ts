import { eq } from 'drizzle-orm';
import type { Clock } from '../../../platform/clock.ts';
import { assertRecent } from '../../../platform/credentials/assert-recent.ts';
import type { Connection } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { clients } from '../../../schema/tables/tables.ts';
import type { FactorDependencies, FactorOwner } from '../../credentials/factors/factor-rules.ts';
import { activeFactors } from '../../credentials/factors/factors.ts';
import { findSessionProofs } from '../../credentials/session-proofs.ts';

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

/**
 * Requires that the client confirmed their identity after the sign-in, within the last five minutes, for everything that a
 * stolen session must not do.
 * @throws DomainError `identity_not_confirmed`, `unauthenticated`
 */
export async function assertSteppedUp(
  { database, clock }: { database: Connection; clock: Clock },
  sessionHash: Buffer,
): Promise<void> {
  const now = clock();
  const { stepUp } = await findSessionProofs(database, sessionHash, now);
  assertRecent(stepUp?.at ?? null, now);
}

/** Seconds after a sign-in in which the first second factor can be added. */
const firstFactorPeriod = 10 * 60;

/**
 * Requires a confirmed identity to add a second factor. For the first one, a sign-in within the last ten minutes is
 * enough, so that adding it stays easy.
 * @throws DomainError `identity_not_confirmed`, `unauthenticated`
 */
export async function assertMayAddFactor(
  dependencies: Pick<FactorDependencies, 'database' | 'clock' | 'factorRules'>,
  { id, sessionHash }: Pick<FactorOwner, 'id' | 'sessionHash'>,
): Promise<void> {
  const { database, clock, factorRules } = dependencies;
  const factors = await activeFactors(database, factorRules.tables, id);
  if (factors.length > 0) return assertSteppedUp(dependencies, sessionHash);
  const now = clock();
  const { provedAt } = await findSessionProofs(database, sessionHash, now);
  assertRecent(provedAt, now, firstFactorPeriod);
}
