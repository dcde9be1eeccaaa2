import { sql } from 'drizzle-orm';
import { findClientActor, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { knownDeviceLane, strangerLanes } from '../../platform/credentials/attempt-lanes.ts';
import type { KnownDevices } from '../../platform/credentials/known-devices.ts';
import type { LoginThrottle } from '../../platform/credentials/login-throttle.ts';
import type { Passwords } from '../../platform/credentials/passwords.ts';
import type { Database } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { clients } from '../../platform/tables/tables.ts';
import { type GuessingDependencies, reportGuessing } from './report-guessing.ts';
import type { Sessions } from './sessions.ts';

export interface SignInDependencies extends GuessingDependencies {
  database: Database;
  passwords: Passwords;
  sessions: Sessions;
  devices: KnownDevices;
  throttle: LoginThrottle;
  clock: Clock;
  /** Called with the outcome of each attempt, for metrics. */
  onSignIn?: ((attempt: SignInOutcome) => void) | undefined;
}

export interface SignInOutcome {
  outcome: 'signed_in' | 'wrong' | 'throttled';
  /** Whether the client has signed in on the device before. */
  device: 'known' | 'unknown';
}

export interface Credentials {
  email: string;
  password: string;
  /** IP address of the caller. */
  address: string;
  /** The token of the caller’s device; null without one. */
  device: string | null;
  /** Called with the client of the email, for the log. */
  about?(subject: { client: string }): void;
}

export interface SignedIn {
  token: string;
  /** Seconds. */
  expiresIn: number;
  /** The token that makes the device known. */
  device: string;
}

/**
 * Exchanges email and password for a token. An unknown email, a client without a password and a wrong password cannot
 * be distinguished by the answer or its timing.
 * @throws DomainError `invalid_credentials`, `too_many_login_attempts` (for correct passwords too), `unavailable`
 */
export async function signIn(dependencies: SignInDependencies, credentials: Credentials): Promise<SignedIn> {
  const { devices, throttle, onSignIn } = dependencies;
  const { address, device } = credentials;
  const email = credentials.email.trim().toLowerCase();
  const isKnownDevice = device !== null && (await devices.isKnown(device, email));
  const count = (outcome: SignInOutcome['outcome']) =>
    onSignIn?.({ outcome, device: isKnownDevice ? 'known' : 'unknown' });
  const attempt = await throttle
    .admit(isKnownDevice ? knownDeviceLane(email, device) : strangerLanes(email, address))
    .catch((error: unknown) => {
      if (error instanceof DomainError) count('throttled');
      throw error;
    });
  try {
    const signedIn = await startSession(dependencies, { ...credentials, email, isKnownDevice });
    if (signedIn) {
      await attempt.succeeded();
      count('signed_in');
      return signedIn;
    }
  } catch (error) {
    await attempt.withdrawn();
    throw error;
  }
  const failures = attempt.failed();
  count('wrong');
  await reportGuessing(dependencies, failures, { email, address });
  throw new DomainError('invalid_credentials');
}

/** @returns null for a wrong password */
async function startSession(
  { database, passwords, sessions, devices, clock }: SignInDependencies,
  { email, password, device, address, about, isKnownDevice }: Credentials & { isKnownDevice: boolean },
): Promise<SignedIn | null> {
  const client = await findClient(database, email);
  if (client) about?.({ client: client.id });
  const isCorrect = await passwords.matches(password, client?.passwordHash ?? null);
  if (!isCorrect || !client?.passwordHash) return null;
  const session = await sessions.start(client.id, client.passwordHash);
  if (!session) return null;
  if (!isKnownDevice) {
    await recordAudit(database, {
      occurredAt: clock(),
      actor: await findClientActor(database, client.id),
      action: 'client.signed_in_from_new_device',
      subject: { kind: 'client', id: client.id },
      address,
    });
  }
  return { ...session, device: await devices.remember(device, client.id) };
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
