import { eq } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import { defineJob } from '../../platform/jobs.ts';
import { formatLondonMoment } from '../../platform/london-time.ts';
import { clients } from '../../schema/tables/tables.ts';
import { addNotice, repeatedWords } from '../merge-notices.ts';
import { type NoticeDependencies, sendNotice } from './send-notice.ts';

/** A change to how a client signs in or is reached. They are emailed about it, so that they notice changes by another person. */
export type ClientNotice =
  /** The browser in plain words; jobs from before it was stored have none. */
  | { kind: 'new_device'; device?: string }
  | { kind: 'recovery_codes_replaced' | 'recovery_code_used' | 'email_changed' }
  | { kind: 'recovery_codes_disabled' }
  /** The last digits of both numbers; null without a number. */
  | { kind: 'phone_changed'; former: string | null; changed: string | null }
  | { kind: 'factor_added' | 'factor_removed'; factor: 'passkey' | 'authenticator' };

const noticeJob = defineJob<{ clientId: string; notice: ClientNotice; at: string; times?: number }>(
  'notify-client',
);

/** Queues the email about a change, in the transaction of the change. Repeated ones are merged, unless each matters. */
export const queueClientNotice = (
  connection: Connection,
  clientId: string,
  notice: ClientNotice,
  now: Date,
): Promise<void> => {
  const payload = { clientId, notice, at: now.toISOString() };
  if (!mergedKinds.includes(notice.kind)) return noticeJob.add(connection, payload);
  return addNotice(connection, noticeJob, `client ${clientId} ${notice.kind}`, payload);
};

/**
 * What anyone who is signed in can repeat at will. A new factor, phone number or email address may be a thief’s, so its email
 * never waits.
 */
const mergedKinds: readonly ClientNotice['kind'][] = [
  'new_device',
  'recovery_codes_replaced',
  'recovery_code_used',
];

export const clientNoticeHandler = (dependencies: NoticeDependencies) =>
  noticeJob.handledBy(async ({ clientId, notice, at, times }) => {
    const [client] = await dependencies.database.select().from(clients).where(eq(clients.id, clientId));
    if (!client) return;
    if (notice.kind === 'recovery_codes_disabled') {
      const mail = {
        subject: disabledCodes.subject,
        paragraphs: [`Hello ${client.firstName},`, ...disabledCodes.paragraphs],
      };
      return sendNotice(dependencies, client, mail);
    }
    const { subject, what } = wordsOf(notice);
    await sendNotice(dependencies, client, {
      subject,
      paragraphs: [
        `Hello ${client.firstName},`,
        `${what} at ${formatLondonMoment(new Date(at))}.${repeatedWords(times)} If that was you, you don’t need to do anything.`,
        'If it wasn’t you, call us straight away on a number you already have. We can sign out every device and reset your sign-in.',
      ],
    });
  });

/** Sent after a restore, so it does not ask whether the client made a change. */
const disabledCodes = {
  subject: 'Your recovery codes no longer work',
  paragraphs: [
    'We restored our records from a backup, and can’t tell which recovery codes you used after the backup was made. So none of your recovery codes work any more.',
    'Sign in as usual, with your password and your passkey or authenticator app, and make new recovery codes on the page “Your account”.',
    'If you no longer have your passkey or authenticator app, call us on a number you already have.',
  ],
};

function wordsOf(notice: Exclude<ClientNotice, { kind: 'recovery_codes_disabled' }>): {
  subject: string;
  what: string;
} {
  switch (notice.kind) {
    case 'new_device':
      return {
        subject: 'New sign-in to your account',
        what: `Someone used a new device${notice.device ? ` (${notice.device})` : ''} to sign in to your account`,
      };
    case 'email_changed':
      return { subject: 'Your email address was changed', what: 'Your email address was changed' };
    case 'phone_changed':
      return phoneWords(notice.former, notice.changed);
    case 'factor_added':
      return {
        subject: `${factorNames[notice.factor]} was added`,
        what: `${factorNames[notice.factor]} was added to your account`,
      };
    case 'factor_removed':
      return {
        subject: `${factorNames[notice.factor]} was removed`,
        what: `${factorNames[notice.factor]} was removed from your account`,
      };
    case 'recovery_codes_replaced':
      return {
        subject: 'Your recovery codes were replaced',
        what: 'Your recovery codes were replaced',
      };
    case 'recovery_code_used':
      return { subject: 'A recovery code was used', what: 'Someone used one of your recovery codes' };
  }
}

function phoneWords(former: string | null, changed: string | null): { subject: string; what: string } {
  if (former === null)
    return {
      subject: 'A phone number was added',
      what: `A phone number ending in ${changed} was added to your account`,
    };
  const own = `Your phone number ending in ${former}`;
  return changed === null
    ? { subject: 'Your phone number was removed', what: `${own} was removed from your account` }
    : { subject: 'Your phone number was changed', what: `${own} was changed to one ending in ${changed}` };
}

const factorNames = { passkey: 'A passkey', authenticator: 'An authenticator app' };
