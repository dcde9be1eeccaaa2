import type { SignInMethod } from '@keyturn/contract';
import { describeBrowser } from '@keyturn/format/describe-browser';
import { and, eq, sql } from 'drizzle-orm';
import { findClientActor, recordAudit } from '../../platform/audit/record-audit.ts';
import { hashToken } from '../../platform/credentials/hash-token.ts';
import type { Connection, Database, Transaction } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { clients, knownDevices, sessions as sessionsTable } from '../../schema/tables/tables.ts';
import { signInLanes } from '../credentials/attempt-lanes.ts';
import { checkCredentials } from '../credentials/check-credentials.ts';
import type { FactorDependencies } from '../credentials/factors/factor-rules.ts';
import { findRecoveryCode } from '../credentials/factors/recovery-codes.ts';
import type { KnownDevices } from '../credentials/known-devices.ts';
import { queueClientNotice } from './client-notice-mail.ts';
import { acceptOwnProof } from './email-change/email-change-rules.ts';
import { type GuessingDependencies, reportGuessing } from './guessing-mail.ts';
import { lockClient } from './record/client-rows.ts';
import type { Sessions } from './sessions.ts';

export interface SignInDependencies
  extends Omit<GuessingDependencies, 'database'>,
    Pick<
      FactorDependencies,
      'database' | 'clock' | 'codeClock' | 'passwords' | 'throttle' | 'secrets' | 'factorRules'
    > {
  sessions: Sessions;
  devices: KnownDevices;
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
  /** Of an authenticator app, or a recovery code; for clients with a second factor. */
  code?: string | undefined;
  /** IP address of the caller. */
  address: string;
  /** The token of the caller’s device; null without one. */
  device: string | null;
  userAgent?: string | null;
  /** The token of the session; a new random one by default. */
  newToken?: string | undefined;
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
 * Exchanges email and password for a token, with a code if the client has a second factor. An unknown email, a client
 * without a password and a wrong password cannot be distinguished by the answer or its timing.
 * @throws DomainError `invalid_credentials`, `second_factor_required` and `code_rejected` only with the right password,
 *   `too_many_login_attempts` (for correct passwords too), `unavailable`
 */
export async function signIn(dependencies: SignInDependencies, credentials: Credentials): Promise<SignedIn> {
  const { devices, throttle, onSignIn } = dependencies;
  const { address, device } = credentials;
  const email = credentials.email.trim().toLowerCase();
  const isKnownDevice = await devices.isKnown(device, email);
  const count = (outcome: SignInOutcome['outcome']) =>
    onSignIn?.({ outcome, device: isKnownDevice ? 'known' : 'unknown' });
  const attempt = await throttle
    .admit(signInLanes('client', email, { address, device, isKnown: isKnownDevice }))
    .catch((error: unknown) => {
      if (error instanceof DomainError) count('throttled');
      throw error;
    });
  const starting = startIfCorrect(dependencies, { ...credentials, email, isKnownDevice });
  const signedIn = await attempt.withdrawnIfFails(starting);
  if (typeof signedIn === 'object') {
    await attempt.succeeded();
    count('signed_in');
    return signedIn;
  }
  const failures = attempt.failed();
  count('wrong');
  await reportGuessing(dependencies, failures, { email, address });
  throw signedIn === 'invalid_credentials'
    ? new DomainError(signedIn)
    : new DomainError('code_rejected', { message: codeMessages[signedIn] });
}

type Rejection = 'invalid_credentials' | keyof typeof codeMessages;

const codeMessages = {
  wrong_code: 'This code is wrong, or was used before. Please try the next one.',
  disabled_code:
    'Your recovery codes no longer work, because we restored our records from a backup. Use your authenticator app or passkey, or call us.',
};

/** @returns why the credentials are rejected, or the sign-in @throws DomainError `second_factor_required` */
async function startIfCorrect(
  dependencies: SignInDependencies,
  {
    email,
    password,
    code,
    device,
    userAgent = null,
    newToken,
    address,
    about,
    isKnownDevice,
  }: Credentials & { isKnownDevice: boolean },
): Promise<SignedIn | Rejection> {
  const { database, clock, factorRules } = dependencies;
  const client = await findClient(database, email);
  if (client) about?.({ client: client.id });
  const checked = await checkCredentials(dependencies, client, { password, code });
  const { passwordHash, hasFactor, matched } = checked;
  if (!client || passwordHash === null) return 'invalid_credentials';
  const { id: clientId, name } = client;
  const start = { clientId, passwordHash, address, device, userAgent, newToken, isKnownDevice };
  if (!hasFactor) {
    const signedIn = await runTransaction(database, (transaction) =>
      startSession(dependencies, transaction, { ...start, signedInWith: 'password' }),
    );
    return signedIn ?? 'invalid_credentials';
  }
  // Only a client who knows the password learns that there is a second factor. Wrong codes count like wrong passwords.
  if (code === undefined) throw new DomainError('second_factor_required');
  if (!matched) {
    const { recoveryCodes } = factorRules.tables;
    const known = await findRecoveryCode(database, recoveryCodes, clientId, code);
    return known?.disabledAt ? 'disabled_code' : 'wrong_code';
  }
  return runTransaction(database, async (transaction) => {
    await lockClient(transaction, clientId);
    if (!(await matched.accept(transaction))) return 'wrong_code';
    if (matched.kind === 'recovery_code')
      await factorRules.onRecoveryCodeUsed(transaction, { id: clientId, name, email, address }, clock());
    const signedInWith =
      matched.kind === 'recovery_code' ? 'password_and_recovery_code' : 'password_and_code';
    return (
      (await startSession(dependencies, transaction, { ...start, signedInWith })) ?? 'invalid_credentials'
    );
  });
}

/** The client to sign in, who has proved who they are. */
interface SessionStart {
  clientId: string;
  /** The hash that the password was compared with; null after a sign-in without the password. */
  passwordHash: string | null;
  /** IP address. */
  address: string;
  /** The token of the caller’s device; null without one. */
  device: string | null;
  userAgent: string | null;
  newToken: string | undefined;
  signedInWith: SignInMethod;
  isKnownDevice: boolean;
}

/**
 * Starts a session, makes the device known, and emails the client about a new one, in the caller’s transaction.
 * @returns null if the password has changed meanwhile
 */
export async function startSession(
  { sessions, devices, clock }: Pick<SignInDependencies, 'sessions' | 'devices' | 'clock'>,
  connection: Transaction,
  { clientId, passwordHash, address, device, isKnownDevice, userAgent, signedInWith, newToken }: SessionStart,
): Promise<SignedIn | null> {
  const options = { connection, userAgent, signedInWith, token: newToken };
  const session = await sessions.start(clientId, passwordHash, options);
  if (!session) return null;
  if (signedInWith !== 'password') await acceptOwnProof(connection, clientId);
  const known = await devices.remember(device, clientId, connection);
  const isFirst = await linkDevice(connection, { clientId, session: session.token, device: known });
  if (!isKnownDevice || isFirst) {
    const now = clock();
    await recordAudit(connection, {
      occurredAt: now,
      actor: await findClientActor(connection, clientId),
      action: 'client.signed_in_from_new_device',
      subject: { kind: 'client', id: clientId },
      address,
    });
    await queueClientNotice(
      connection,
      clientId,
      { kind: 'new_device', device: describeBrowser(userAgent) },
      now,
    );
  }
  return { ...session, device: known };
}

/**
 * Records on which known device a session was started.
 * @param tokens.session the token of the session
 * @param tokens.device the token of the device
 * @returns whether it is the first sign-in on a device that only a password link made known
 */
async function linkDevice(
  connection: Connection,
  { clientId, session, device }: { clientId: string; session: string; device: string },
): Promise<boolean> {
  const deviceHash = hashToken(device);
  await connection
    .update(sessionsTable)
    .set({ deviceHash })
    .where(eq(sessionsTable.tokenHash, hashToken(session)));
  const { rowCount } = await connection
    .update(knownDevices)
    .set({ awaitsSignIn: false })
    .where(
      and(
        eq(knownDevices.clientId, clientId),
        eq(knownDevices.tokenHash, deviceHash),
        eq(knownDevices.awaitsSignIn, true),
      ),
    );
  return rowCount === 1;
}

async function findClient(database: Database, email: string) {
  // PostgreSQL cannot store either, so no client has such an email.
  if (email.includes('\0') || !email.isWellFormed()) return undefined;
  const [client] = await database
    .select({
      id: clients.id,
      // A disabled client has none here, so that every password is wrong.
      passwordHash: sql<
        string | null
      >`case when ${clients.disabledAt} is null then ${clients.passwordHash} end`,
      name: sql<string>`${clients.firstName} || ' ' || ${clients.lastName}`,
    })
    .from(clients)
    .where(sql`lower(${clients.email}) = ${email}`);
  return client;
}
