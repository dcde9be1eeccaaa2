import { randomBytes } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import { hashToken } from '../../../platform/credentials/hash-token.ts';
import type { Connection } from '../../../platform/database.ts';
import { defineJob } from '../../../platform/jobs.ts';
import { formatLondonMoment } from '../../../platform/london-time.ts';
import type { Mail } from '../../../platform/mailer.ts';
import { clients, emailChanges } from '../../../schema/tables/tables.ts';
import type { PasswordLinkDependencies } from '../password-link-mail.ts';
import { confirmHours, isEmailTaken, stopDays } from './email-change-rules.ts';

/** The address to which the email goes. */
type Part = 'new' | 'former';

/** `startedAt` identifies the change, because a later one replaces it. */
const changeMailJob = defineJob<{ clientId: string; part: Part; startedAt: string }>('mail-email-change');

/** Queues the emails, in the transaction that starts the change. */
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
    const hash = part === 'new' ? { confirmHash: hashToken(token) } : { stopHash: hashToken(token) };
    const [change] = await database
      .update(emailChanges)
      .set(hash)
      .where(
        and(
          eq(emailChanges.clientId, clientId),
          eq(emailChanges.createdAt, new Date(startedAt)),
          isNull(emailChanges.confirmedAt),
        ),
      )
      .returning();
    // Cancelled, or replaced by a later change.
    if (!client || !change) return;
    const address = part === 'new' ? change.email : change.formerEmail;
    const isTaken = part === 'new' && (await isEmailTaken(database, change.email, clientId));
    // A fragment, because proxies and servers log paths.
    const url = `${dashboardUrl()}/${part === 'new' ? 'confirm-email' : 'review-email-change'}#${token}`;
    const { firstName, lastName } = client;
    await mailer.send(
      isTaken
        ? { to: { name: '', address }, ...takenMail }
        : {
            to: { name: `${firstName} ${lastName}`, address },
            ...wordsOf(part, {
              firstName,
              url,
              startedAt,
              newEmail: change.email,
              needsFormer: change.formerConfirmedAt === null,
            }),
          },
    );
  });

const undoneJob = defineJob<{ clientId: string; address: string }>('mail-undone-email-change');

/** Queues the email to an address of a client whose change of the email address was undone. */
export const queueUndoneMail = (
  connection: Connection,
  undone: { clientId: string; address: string },
): Promise<void> => undoneJob.add(connection, undone);

export const undoneMailHandler = ({
  database,
  mailer,
}: Pick<PasswordLinkDependencies, 'database' | 'mailer'>) =>
  undoneJob.handledBy(async ({ clientId, address }) => {
    const [client] = await database.select().from(clients).where(eq(clients.id, clientId));
    if (!client) return;
    await mailer.send({
      to: { name: `${client.firstName} ${client.lastName}`, address },
      subject: 'Please call us about your email address',
      paragraphs: [
        `Hello ${client.firstName},`,
        'The change of your email address was undone with the link that we sent to your former address. Every device is signed out, and we don’t send links for a new password to either address until we know that it’s you.',
        'Please call us on a number you already have. You can also sign in with a passkey or an authenticator app, if you added it more than a week before the change.',
      ],
    });
  });

function wordsOf(
  part: Part,
  {
    firstName,
    url,
    startedAt,
    newEmail,
    needsFormer,
  }: Record<'firstName' | 'url' | 'startedAt' | 'newEmail', string> & { needsFormer: boolean },
): Omit<Mail, 'to'> {
  if (part === 'new') {
    return {
      subject: 'Confirm your new email address',
      paragraphs: [
        `Hello ${firstName},`,
        'You asked to sign in with this email address from now on, and to get our emails here. Confirm that it is yours.',
        ...(needsFormer
          ? [
              'We change it once you have also opened the link that we sent to your current address. If you can’t read your emails there any more, call us on a number you already have.',
            ]
          : []),
        `The link expires after ${confirmHours} hours. If you didn’t ask for this, ignore this email.`,
      ],
      action: { label: 'Confirm this address', url },
    };
  }
  return {
    subject: 'Confirm or stop the change of your email address',
    paragraphs: [
      `Hello ${firstName},`,
      `At ${formatLondonMoment(new Date(startedAt))} someone who was signed in to your account asked to change its email address to ${newEmail}. We change it once you have confirmed it, with the link in this email and the one that we sent to the new address. You have ${confirmHours} hours.`,
      `If it wasn’t you, stop the change with the same link, and call us on a number you already have. We’ll keep this address, and sign out every device. Keep this email: for ${stopDays} days after the change was made, the link undoes it.`,
    ],
    action: { label: 'Confirm, stop or undo the change', url },
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
