import { createHash, randomBytes } from 'node:crypto';
import { and, count, eq, gt, sql } from 'drizzle-orm';
import type { Clock } from '../../platform/clock.ts';
import type { Connection, Database } from '../../platform/database.ts';
import { defineJob } from '../../platform/jobs.ts';
import type { Mail, Mailer } from '../../platform/mailer.ts';
import { clients, passwordLinks } from '../../platform/tables.ts';

type Purpose = 'invitation' | 'forgotten';

/** Asked for by email alone, whoever has it: so neither the answer nor its time tells whether there is a client. */
const passwordLinkJob = defineJob<{ email: string; purpose: Purpose }>('send-password-link');

/** @param email in any case; one mail waits at a time for each */
export async function askForPasswordLink(
  connection: Connection,
  email: string,
  purpose: Purpose,
): Promise<void> {
  const address = email.trim().toLowerCase();
  const key = createHash('sha256').update(address).digest('hex');
  await passwordLinkJob.add(connection, { email: address, purpose }, { key: `password-link ${key}` });
}

export interface PasswordLinkDependencies {
  database: Database;
  mailer: Mailer;
  clock: Clock;
  /** Where the dashboard is, without a slash at its end. */
  dashboardUrl(): string;
}

/** Hours for which a link works. */
const worksFor = 24;
/** Links for a client in an hour: more would only fill somebody's post. */
const mostInAnHour = 5;

export const passwordLinkHandler = (dependencies: PasswordLinkDependencies) =>
  passwordLinkJob.handledBy((payload) => sendPasswordLink(dependencies, payload));

/** Makes a link and mails it. Where there is no such client, or too many links already, nothing happens. */
async function sendPasswordLink(
  { database, mailer, clock, dashboardUrl }: PasswordLinkDependencies,
  { email, purpose }: { email: string; purpose: Purpose },
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
  if ((recent?.links ?? 0) >= mostInAnHour) return;

  const token = randomBytes(32).toString('base64url');
  const tokenHash = hashOfLinkToken(token);
  const expiresAt = new Date(now.getTime() + worksFor * 3_600_000);
  await database
    .insert(passwordLinks)
    .values({ tokenHash, clientId: client.id, purpose, createdAt: now, expiresAt });
  try {
    await mailer.send({
      to: { name: `${client.firstName} ${client.lastName}`, address: client.email },
      ...words(purpose, client.firstName, `${dashboardUrl()}/reset-password/${token}`),
    });
  } catch (error) {
    // Nobody has it: the next attempt makes another.
    await database.delete(passwordLinks).where(eq(passwordLinks.tokenHash, tokenHash));
    throw error;
  }
}

export const hashOfLinkToken = (token: string) => createHash('sha256').update(token).digest();

function words(purpose: Purpose, firstName: string, url: string): Omit<Mail, 'to'> {
  const once = `The link works once, for ${worksFor} hours.`;
  if (purpose === 'invitation') {
    return {
      subject: 'See your case online',
      paragraphs: [
        `Hello ${firstName},`,
        'You can now see online where your case stands, what happens next and what we need from you. Choose a password to begin.',
        once,
      ],
      action: { words: 'Choose your password', url },
    };
  }
  return {
    subject: 'Choose a new password',
    paragraphs: [
      `Hello ${firstName},`,
      'You asked for a link to choose a new password. If it was not you, you need not do anything: your password stays as it is.',
      once,
    ],
    action: { words: 'Choose a new password', url },
  };
}
