import { createHash, randomBytes } from 'node:crypto';
import { and, count, eq, gt, sql } from 'drizzle-orm';
import type { Clock } from '../../platform/clock.ts';
import { hashToken } from '../../platform/credentials/hash-token.ts';
import type { Connection, Database } from '../../platform/database.ts';
import { defineJob } from '../../platform/jobs.ts';
import type { Mail, Mailer } from '../../platform/mailer.ts';
import { clients, passwordLinks } from '../../platform/tables/tables.ts';

type Purpose = 'invitation' | 'forgotten';

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
 * Queues a mail with a password link. Only one mail per email address waits in the queue at a time.
 * @param email in any case
 * @param options.isFromFirm whether staff send it, and not the client
 */
export async function requestPasswordLink(
  connection: Connection,
  email: string,
  purpose: Purpose,
  { isFromFirm = false } = {},
): Promise<void> {
  const address = email.trim().toLowerCase();
  const key = createHash('sha256').update(address).digest('hex');
  await passwordLinkJob.add(
    connection,
    { email: address, purpose, ...(isFromFirm ? { isFromFirm } : {}) },
    { key: `password-link ${key}` },
  );
}

export interface PasswordLinkDependencies {
  database: Database;
  mailer: Mailer;
  clock: Clock;
  /** Address of the dashboard, without a trailing slash. */
  dashboardUrl(): string;
}

/** Hours until a link expires. */
const validForHours = 24;
/** Links per client and hour; more would flood the client's inbox. */
const maxPerHour = 5;

export const passwordLinkHandler = (dependencies: PasswordLinkDependencies) =>
  passwordLinkJob.handledBy((payload) => sendPasswordLink(dependencies, payload));

/** Creates a link and mails it. Does nothing for an unknown client or one with too many recent links. */
async function sendPasswordLink(
  { database, mailer, clock, dashboardUrl }: PasswordLinkDependencies,
  { email, purpose, isFromFirm = false }: RequestedLink,
): Promise<void> {
  const [client] = await database.select().from(clients).where(sql`lower(${clients.email}) = ${email}`);
  if (!client) return;
  const now = clock();
  const [recent] = await database
    .select({ links: count() })
    .from(passwordLinks)
    .where(
      and(
        eq(passwordLinks.clientId, client.id),
        gt(passwordLinks.createdAt, new Date(now.getTime() - 3_600_000)),
      ),
    );
  if ((recent?.links ?? 0) >= maxPerHour) return;

  const token = randomBytes(32).toString('base64url');
  const tokenHash = hashToken(token);
  const expiresAt = new Date(now.getTime() + validForHours * 3_600_000);
  await database
    .insert(passwordLinks)
    .values({ tokenHash, clientId: client.id, purpose, createdAt: now, expiresAt });
  try {
    await mailer.send({
      to: { name: `${client.firstName} ${client.lastName}`, address: client.email },
      // A fragment, because proxies and servers log paths.
      ...composeMail(purpose, {
        firstName: client.firstName,
        isFromFirm,
        url: `${dashboardUrl()}/reset-password#${token}`,
      }),
    });
  } catch (error) {
    // The link was not sent; the job's retry creates another.
    await database.delete(passwordLinks).where(eq(passwordLinks.tokenHash, tokenHash));
    throw error;
  }
}

function composeMail(
  purpose: Purpose,
  { firstName, isFromFirm, url }: { firstName: string; isFromFirm: boolean; url: string },
): Omit<Mail, 'to'> {
  const once = `The link works once and expires after ${validForHours} hours.`;
  if (purpose === 'invitation') {
    return {
      subject: 'See your case online',
      paragraphs: [
        `Hello ${firstName},`,
        'You can now see online where your case is, what happens next and what we need from you. Set a password to start.',
        once,
      ],
      action: { words: 'Set your password', url },
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
    action: { words: 'Reset your password', url },
  };
}
