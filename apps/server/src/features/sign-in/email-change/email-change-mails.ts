import { randomBytes } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import { hashToken } from '../../../platform/credentials/hash-token.ts';
import type { Connection } from '../../../platform/database.ts';
import { defineJob } from '../../../platform/jobs.ts';
import { formatLondonMoment } from '../../../platform/london-time.ts';
import type { Mail } from '../../../platform/mailer.ts';
import { clients, emailChanges } from '../../../platform/tables/tables.ts';
import type { PasswordLinkDependencies } from '../send-password-link.ts';
import { confirmHours, isEmailTaken, stopDays } from './email-change-rules.ts';

/** The mail to the new address, or the notice to the former one. */
type Part = 'confirm' | 'stop';

/** `startedAt` identifies the change, because a later one replaces it. */
const changeMailJob = defineJob<{ clientId: string; part: Part; startedAt: string }>('mail-email-change');

/** Queues the mails, in the transaction that starts the change. */
export async function queueChangeMails(
  connection: Connection,
  { clientId, parts, now }: { clientId: string; parts: readonly Part[]; now: Date },
): Promise<void> {
  for (const part of parts)
    await changeMailJob.add(connection, { clientId, part, startedAt: now.toISOString() });
}

export const emailChangeHandler = (dependencies: PasswordLinkDependencies) =>
  changeMailJob.handledBy(async ({ clientId, part, startedAt }) => {
    const { database, mailer, dashboardUrl } = dependencies;
    const [client] = await database.select().from(clients).where(eq(clients.id, clientId));
    const token = randomBytes(32).toString('base64url');
    const hash = part === 'confirm' ? { confirmHash: hashToken(token) } : { stopHash: hashToken(token) };
    const [change] = await database
      .update(emailChanges)
      .set(hash)
      .where(
        and(
          eq(emailChanges.clientId, clientId),
          eq(emailChanges.createdAt, new Date(startedAt)),
          part === 'confirm' ? isNull(emailChanges.confirmedAt) : undefined,
        ),
      )
      .returning();
    // Cancelled, or replaced by a later change.
    if (!client || !change) return;
    const address = part === 'confirm' ? change.email : change.formerEmail;
    const isTaken = part === 'confirm' && (await isEmailTaken(database, change.email, clientId));
    // A fragment, because proxies and servers log paths.
    const url = `${dashboardUrl()}/${part === 'confirm' ? 'confirm-email' : 'stop-email-change'}#${token}`;
    const { firstName, lastName } = client;
    await mailer.send(
      isTaken
        ? { to: { name: '', address }, ...takenMail }
        : {
            to: { name: `${firstName} ${lastName}`, address },
            ...wordsOf(part, { firstName, url, startedAt }),
          },
    );
  });

const unrestoredJob = defineJob<{ clientId: string; address: string }>('mail-unrestored-address');

/** Queues the mail to the former address of a client whose stopped change could not be undone. */
export const queueUnrestoredMail = (
  connection: Connection,
  unrestored: { clientId: string; address: string },
): Promise<void> => unrestoredJob.add(connection, unrestored);

export const unrestoredMailHandler = ({
  database,
  mailer,
}: Pick<PasswordLinkDependencies, 'database' | 'mailer'>) =>
  unrestoredJob.handledBy(async ({ clientId, address }) => {
    const [client] = await database.select().from(clients).where(eq(clients.id, clientId));
    if (!client) return;
    await mailer.send({
      to: { name: `${client.firstName} ${client.lastName}`, address },
      subject: 'Please call us about your email address',
      paragraphs: [
        `Hello ${client.firstName},`,
        'You stopped the change of your email address. Every device is signed out, and the password no longer works.',
        'We couldn’t restore your previous address, because another account now uses it. We no longer send links to the address that yours was changed to.',
        'Please call us on a number you already have, so that we can enter an address that only you can read.',
      ],
    });
  });

function wordsOf(
  part: Part,
  { firstName, url, startedAt }: { firstName: string; url: string; startedAt: string },
): Omit<Mail, 'to'> {
  if (part === 'confirm') {
    return {
      subject: 'Confirm your new email address',
      paragraphs: [
        `Hello ${firstName},`,
        'You asked to sign in with this email address from now on, and to get our emails here. Confirm that it is yours.',
        `The link works once and expires after ${confirmHours} hours. If you didn’t ask for this, ignore this email.`,
      ],
      action: { words: 'Confirm this address', url },
    };
  }
  return {
    subject: 'Your email address is about to change',
    paragraphs: [
      `Hello ${firstName},`,
      `At ${formatLondonMoment(new Date(startedAt))} someone who was signed in to your account asked to change its email address. If that was you, confirm it in the email that we sent to the new address.`,
      `If it wasn’t you, stop the change: we’ll keep this address, sign out every device, and ask you for a new password. The link works for ${stopDays} days, even after the address has changed. Then call us on a number you already have.`,
    ],
    action: { words: 'Stop the change', url },
  };
}

/** The address belongs to another client, which the client who asked must not find out. */
const takenMail: Omit<Mail, 'to'> = {
  subject: 'This email address already has an account',
  paragraphs: [
    'Hello,',
    'Someone asked to use this email address for another account with us. An address can belong to one account only, so nothing was changed.',
    'If it was you, choose another address, or call us on a number you already have. If it wasn’t you, you don’t need to do anything.',
  ],
};
