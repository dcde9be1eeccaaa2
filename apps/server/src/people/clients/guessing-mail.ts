import { createHash } from 'node:crypto';
import { eq, lt } from 'drizzle-orm';
import type { AlertOperator } from '../../platform/alert-operator.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Connection, Database } from '../../platform/database.ts';
import { defineJob } from '../../platform/jobs.ts';
import type { Mailer } from '../../platform/mailer.ts';
import { findClientByEmail } from '../../platform/reads/find-client-by-email.ts';
import { signInWarnings } from '../../schema/tables/tables.ts';
import { reportedRun } from '../credentials/attempt-lanes.ts';
import type { FailureCounts } from '../credentials/login-throttle.ts';
import { sendNotice } from './send-notice.ts';

/**
 * The job accepts known and unknown emails, so that neither the response nor its timing reveals whether a client
 * exists.
 */
const guessingJob = defineJob<GuessedAccount>('report-password-guessing');

interface GuessedAccount {
  /** In its lookup form. */
  email: string;
  /** Whether the guesses were made in a session of the client, which has ended. */
  isInSession?: boolean;
}

export interface GuessingDependencies {
  database: Connection;
  alertOperator: AlertOperator;
}

/**
 * Reports a run of wrong passwords to the client by email and to the operator. A run that continues is reported again
 * after a day.
 * @param email in its lookup form
 */
export async function reportGuessing(
  { database, alertOperator }: GuessingDependencies,
  failures: FailureCounts,
  { email, address }: { email: string; address: string },
): Promise<void> {
  if (failures.address === reportedRun.address) {
    alertOperator('many wrong passwords came from one address', { address, failures: failures.address });
  }
  const { email: forEmail = 0, device: onDevice = 0 } = failures;
  if (forEmail < reportedRun.email && onDevice < reportedRun.device) return;
  await queueGuessingMail(database, { email });
}

/** Has the client emailed, and the operator alerted, about a run of wrong passwords or codes. */
export async function queueGuessingMail(connection: Connection, guessed: GuessedAccount): Promise<void> {
  const key = createHash('sha256').update(guessed.email).digest('hex');
  await guessingJob.add(connection, guessed, { key: `password-guessing ${key}` });
}

/** Emails the client and alerts the operator, at most once in 24 hours for each client. */
export const guessingHandler = (dependencies: {
  database: Database;
  mailer: Mailer;
  clock: Clock;
  alertOperator: AlertOperator;
}) =>
  guessingJob.handledBy(async ({ email, isInSession = false }) => {
    const { database, clock, alertOperator } = dependencies;
    const client = await findClientByEmail(database, email);
    if (!client) return;
    const now = clock();
    const previous = await startWarning(database, client.id, now);
    if (previous === 'recent') return;
    try {
      await sendNotice(dependencies, client, {
        subject: isInSession
          ? 'Someone entered many wrong passwords in your account'
          : 'Someone tried to sign in to your account',
        paragraphs: [
          `Hello ${client.firstName},`,
          ...(isInSession ? inSessionText : signInText),
          'If you can’t sign in, choose “Forgotten your password, or first time here?” on the sign-in page. We will email you a link with which you can choose a new password.',
          'We never ask for your password, by email or by telephone. If in doubt, call us on a number you already have.',
        ],
      });
    } catch (error) {
      // The warning was not sent; the job's retry sends it.
      await endWarning(database, client.id);
      throw error;
    }
    // The end of the session has alerted them already.
    if (!isInSession) alertOperator('someone is guessing the password of a client', { client: client.id });
  });

const signInText = [
  `Someone entered a wrong password or code for your account ${reportedRun.email} times. If that was you, you don’t need to do anything.`,
  'If it wasn’t you: none of these tries signed them in, and each further one now has to wait longer. You can still sign in on other devices that you have used before.',
  'If you sign in with a password and a code, they may know the password: please choose a new one.',
];

const inSessionText = [
  `Someone who was signed in to your account entered a wrong password or code ${reportedRun.device} times, so we signed them out. If that was you, sign in again.`,
  'If it wasn’t you: sign in, open “Your account”, sign out all other devices and choose a new password.',
];

/** Milliseconds between two warnings of a client. */
const quietTime = 86_400_000;

/** Claims the warning, so that only one server sends it. */
async function startWarning(database: Database, clientId: string, now: Date): Promise<'started' | 'recent'> {
  const claimed = await database
    .insert(signInWarnings)
    .values({ clientId, warnedAt: now })
    .onConflictDoUpdate({
      target: signInWarnings.clientId,
      set: { warnedAt: now },
      setWhere: lt(signInWarnings.warnedAt, new Date(now.getTime() - quietTime)),
    })
    .returning();
  return claimed.length > 0 ? 'started' : 'recent';
}

const endWarning = (database: Database, clientId: string) =>
  database.delete(signInWarnings).where(eq(signInWarnings.clientId, clientId));
