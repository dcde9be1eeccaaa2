import { createHash, randomBytes } from 'node:crypto';
import { and, count, eq, gt, sql } from 'drizzle-orm';
import type { Clock } from '../../platform/clock.ts';
import { hashToken } from '../../platform/credentials/hash-token.ts';
import type { Connection, Database } from '../../platform/database.ts';
import { defineJob } from '../../platform/jobs.ts';
import type { Mail, Mailer } from '../../platform/mailer.ts';
import { findClientByEmail, type StoredClient } from '../../platform/reads/find-client-by-email.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { deleteExpiredRows } from '../../schema/tables/delete-expired-rows.ts';
import { passwordLinks } from '../../schema/tables/tables.ts';
import { assertInvitationsAllowed, refusalOfInvitations } from './first-invitation.ts';

/** `reset`: the firm has removed everything that the client signed in with. */
type Purpose = 'invitation' | 'forgotten' | 'reset';

/**
 * The job accepts known and unknown emails, so that neither the response nor its timing reveals whether a client
 * exists.
 */
const passwordLinkJob = defineJob<RequestedLink>('send-password-link');

interface RequestedLink {
  email: string;
  purpose: Purpose;
  /** Whether staff sent it, and not the client. */
  isFromFirm?: boolean;
}

/**
 * Queues an email with a password link. Only one email per email address waits in the queue at a time.
 * @param email in any case
 * @param options.isFromFirm whether staff send it, and not the client
 * @throws DomainError `firm_data_missing` for an invitation while the firm cannot invite clients
 */
export async function requestPasswordLink(
  connection: Connection,
  email: string,
  purpose: Purpose,
  { isFromFirm = false } = {},
): Promise<void> {
  if (purpose === 'invitation') await assertInvitationsAllowed(connection);
  const address = email.trim().toLowerCase();
  const key = createHash('sha256').update(address).digest('hex');
  await passwordLinkJob.add(
    connection,
    { email: address, purpose, ...(isFromFirm ? { isFromFirm } : {}) },
    // The email about a reset is also its notice, so that a request for another link must not replace it.
    { key: `password-link ${purpose === 'reset' ? 'reset ' : ''}${key}` },
  );
}

export interface PasswordLinkDependencies {
  database: Database;
  mailer: Mailer;
  clock: Clock;
  /** Address of the dashboard, without a trailing slash. */
  dashboardUrl(): string;
}

/**
 * Hours until a link expires. A link that someone has just asked for on the sign-in page is used at once; one that the firm
 * sends waits until the client reads their email.
 */
const hoursValid = ({
  purpose,
  isFromFirm = false,
}: Pick<RequestedLink, 'purpose' | 'isFromFirm'>): number =>
  purpose === 'forgotten' && !isFromFirm ? 1 : 24;
/** Links per client and hour; more would flood the client's inbox. */
const maxPerHour = 5;

export const passwordLinkHandler = (dependencies: PasswordLinkDependencies) =>
  passwordLinkJob.handledBy((payload) => sendPasswordLink(dependencies, payload));

/** Creates a link and emails it, if the client may get one. */
async function sendPasswordLink(
  { database, mailer, clock, dashboardUrl }: PasswordLinkDependencies,
  { email, purpose, isFromFirm = false }: RequestedLink,
): Promise<void> {
  const hours = hoursValid({ purpose, isFromFirm });
  const token = randomBytes(32).toString('base64url');
  const tokenHash = hashToken(token);
  const client = await storeLink(database, { email, purpose, hours, tokenHash, now: clock() });
  if (!client) return;
  await deleteOldLinks(database, clock());
  try {
    await mailer.send({
      to: { name: `${client.firstName} ${client.lastName}`, address: client.email },
      // A fragment, because proxies and servers log paths.
      ...composeMail(purpose, {
        firstName: client.firstName,
        isFromFirm,
        hours,
        url: `${dashboardUrl()}/reset-password#${token}`,
      }),
    });
  } catch (error) {
    // The link was not sent; the job's retry creates another.
    await database.delete(passwordLinks).where(eq(passwordLinks.tokenHash, tokenHash));
    throw error;
  }
}

/**
 * Stores a link of the client with this address. The client stays locked, so that a reset or a change of the address either
 * comes first, or ends this link.
 * @returns null for an unknown or disabled client, one whose address is in doubt, one with too many recent links, and one
 *   without a password while the firm cannot invite clients
 */
const storeLink = (
  database: Database,
  {
    email,
    purpose,
    hours,
    tokenHash,
    now,
  }: { email: string; purpose: Purpose; hours: number; tokenHash: Buffer; now: Date },
): Promise<StoredClient | null> =>
  runTransaction(database, async (transaction) => {
    const client = await findClientByEmail(transaction, email, { lock: true });
    if (!client || client.disabledAt || client.unrestoredEmail !== null) return null;
    // A first password is an invitation, even if the client asks for the link.
    if (
      purpose === 'forgotten' &&
      client.passwordHash === null &&
      (await refusalOfInvitations(transaction)) !== null
    )
      return null;
    const [recent] = await transaction
      .select({ links: count() })
      .from(passwordLinks)
      .where(
        and(
          eq(passwordLinks.clientId, client.id),
          gt(passwordLinks.createdAt, new Date(now.getTime() - 3_600_000)),
        ),
      );
    if ((recent?.links ?? 0) >= maxPerHour && purpose !== 'reset') return null;
    const expiresAt = new Date(now.getTime() + hours * 3_600_000);
    await transaction
      .insert(passwordLinks)
      .values({ tokenHash, clientId: client.id, purpose, createdAt: now, expiresAt });
    return client;
  });

/**
 * Deletes links 90 days after they expired. The last invitation of a client without a password stays, because the desk
 * asks the firm to send another.
 */
async function deleteOldLinks(database: Database, now: Date): Promise<void> {
  const isNeeded = sql`${passwordLinks.purpose} <> 'forgotten' and ${passwordLinks.usedAt} is null and exists (
    select from clients where clients.id = ${passwordLinks.clientId} and password_hash is null)`;
  const expired = { table: passwordLinks, age: passwordLinks.expiresAt, where: sql`not (${isNeeded})` };
  await deleteExpiredRows(database, expired, new Date(now.getTime() - keptFor), { maxBatches: 1 });
}

/** Milliseconds. */
const keptFor = 90 * 86_400_000;

function composeMail(
  purpose: Purpose,
  {
    firstName,
    isFromFirm,
    hours,
    url,
  }: { firstName: string; isFromFirm: boolean; hours: number; url: string },
): Omit<Mail, 'to'> {
  const once = `The link works once and expires after ${hours === 1 ? 'an hour' : `${hours} hours`}.`;
  if (purpose === 'invitation') {
    return {
      subject: 'See your case online',
      paragraphs: [
        `Hello ${firstName},`,
        'You can now see online where your case is, what happens next and what we need from you. Set a password to start.',
        once,
      ],
      action: { label: 'Set your password', url },
    };
  }
  if (purpose === 'reset') {
    return {
      subject: 'Your sign-in was reset',
      paragraphs: [
        `Hello ${firstName},`,
        'We have reset your sign-in, after checking that it was you who asked. Your password, passkeys, authenticator app and recovery codes no longer work. Choose a new password to start again.',
        once,
        'If you didn’t ask us for this, call us straight away on a number you already have.',
      ],
      action: { label: 'Choose a new password', url },
    };
  }
  return {
    subject: 'Reset your password',
    paragraphs: [
      `Hello ${firstName},`,
      isFromFirm
        ? 'Here is a link to choose a new password. If you didn’t ask us for it, ignore this email: your password stays the same.'
        : 'You asked for a link to reset your password. If you didn’t, ignore this email: your password stays the same.',
      once,
    ],
    action: { label: 'Reset your password', url },
  };
}
