import type { SignInMethod, StepUpMethod } from '@keyturn/contract';
import { and, eq } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { sessions } from '../../schema/tables/tables.ts';
import { isOpen } from './account-sessions.ts';

/** A confirmation of the client’s identity after the sign-in, which a stolen session alone cannot give. */
export interface StepUp {
  at: Date;
  method: StepUpMethod;
}

/** How the client of a session proved who they are. */
export interface SessionProofs {
  signedInWith: SignInMethod;
  /** Of the sign-in or the last confirmation, whichever is later. */
  provedAt: Date;
  /** Null if the client has only signed in. */
  stepUp: StepUp | null;
}

/**
 * Reads how the client of a session proved who they are.
 * @throws DomainError `unauthenticated` if the session has ended
 */
export async function findSessionProofs(
  connection: Connection,
  sessionHash: Buffer,
  now: Date,
): Promise<SessionProofs> {
  const [session] = await connection
    .select()
    .from(sessions)
    .where(and(eq(sessions.tokenHash, sessionHash), isOpen(sessions, now)));
  if (!session) throw new DomainError('unauthenticated');
  const { signedInWith, confirmedAt: provedAt, steppedUpAt: at, steppedUpWith: method } = session;
  return { signedInWith, provedAt, stepUp: at && method ? { at, method } : null };
}
