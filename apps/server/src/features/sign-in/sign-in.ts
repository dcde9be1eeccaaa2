import { sql } from 'drizzle-orm';
import type { Database } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { clients } from '../../platform/tables.ts';
import type { LoginThrottle } from './login-throttle.ts';
import type { Passwords } from './passwords.ts';
import type { Sessions } from './sessions.ts';

export interface SignInDependencies {
  database: Database;
  passwords: Passwords;
  sessions: Sessions;
  throttle: LoginThrottle;
}

export interface Credentials {
  email: string;
  password: string;
  /** IP address of the caller. */
  address: string;
}

/**
 * Exchanges email and password for a token. An unknown email, a client without a password and a wrong password cannot be
 * distinguished by the answer or its timing.
 * @throws DomainError `invalid_credentials`, `too_many_login_attempts` (for correct passwords too), `unavailable`
 */
export async function signIn(
  { database, passwords, sessions, throttle }: SignInDependencies,
  credentials: Credentials,
): Promise<{ token: string; expiresIn: number }> {
  const email = credentials.email.trim().toLowerCase();
  const attempt = await throttle.admit(email, credentials.address);
  try {
    const client = await findClient(database, email);
    const isCorrect = await passwords.matches(credentials.password, client?.passwordHash ?? null);
    const session =
      isCorrect && client?.passwordHash ? await sessions.start(client.id, client.passwordHash) : null;
    if (session) {
      await attempt.succeeded();
      return session;
    }
  } catch (error) {
    await attempt.withdrawn();
    throw error;
  }
  attempt.failed();
  throw new DomainError('invalid_credentials');
}

async function findClient(database: Database, email: string) {
  // PostgreSQL cannot store either, so no client has such an email.
  if (email.includes('\0') || !email.isWellFormed()) return undefined;
  const [client] = await database
    .select({ id: clients.id, passwordHash: clients.passwordHash })
    .from(clients)
    .where(sql`lower(${clients.email}) = ${email}`);
  return client;
}
