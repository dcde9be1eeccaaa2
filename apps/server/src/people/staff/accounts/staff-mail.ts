import { randomBytes } from 'node:crypto';
import { eq, max } from 'drizzle-orm';
import type { Clock } from '../../../platform/clock.ts';
import { hashToken } from '../../../platform/credentials/hash-token.ts';
import type { Connection, Database } from '../../../platform/database.ts';
import { defineJob } from '../../../platform/jobs.ts';
import type { Mail, Mailer } from '../../../platform/mailer.ts';
import { runTransaction } from '../../../platform/run-transaction.ts';
import { staffInvitations } from '../../../schema/tables/staff-tables.ts';
import { addNotice, repeatedWords } from '../../merge-notices.ts';
import { findStaff, lockStaff, type StaffRow, withdrawInvitations } from './staff-store.ts';

export interface StaffMailDependencies {
  database: Database;
  mailer: Mailer;
  clock: Clock;
  /** Address of this installation, without a trailing slash. */
  dashboardUrl(): string;
}

/** Hours until an invitation expires. */
const invitationHours = 72;

const invitationJob = defineJob<{ staffId: string }>('send-staff-invitation');

/** Queues the email with a new invitation link. Earlier links stop working when it is sent. */
export const queueInvitation = (connection: Connection, staffId: string): Promise<void> =>
  invitationJob.add(connection, { staffId }, { key: `staff-invitation ${staffId}` });

export const staffInvitationHandler = (dependencies: StaffMailDependencies) =>
  invitationJob.handledBy((payload) => sendInvitation(dependencies, payload));

async function sendInvitation(
  { database, mailer, clock, dashboardUrl }: StaffMailDependencies,
  { staffId }: { staffId: string },
): Promise<void> {
  const token = randomBytes(32).toString('base64url');
  const tokenHash = hashToken(token);
  const invited = await storeInvitation({ database, clock }, { staffId, tokenHash });
  if (!invited) return;
  const { member, createdAt } = invited;
  try {
    await mailer.send({
      to: { name: member.name ?? '', address: member.email },
      subject: 'Set up your staff sign-in',
      paragraphs: [
        greeting(member.name),
        'You have been invited to sign in as a member of staff. Choose a password, then add a passkey or an authenticator app.',
        `The link works once and expires after ${invitationHours} hours. Earlier links no longer work.`,
        'If you didn’t expect this, ignore it and tell your firm’s admin.',
      ],
      // A fragment, because proxies and servers log paths.
      action: { label: 'Set up your sign-in', url: `${dashboardUrl()}/desk/invitation#${token}` },
    });
  } catch (error) {
    // The link was not sent; the job's retry creates another.
    await database.delete(staffInvitations).where(eq(staffInvitations.tokenHash, tokenHash));
    throw error;
  }
  // Withdraws only older ones, because two concurrent jobs would otherwise withdraw each other’s link.
  await withdrawInvitations(database, staffId, clock(), createdAt);
}

/**
 * Stores the link of an invitation. Under the member’s lock, each link is newer than those before, even if the clocks of
 * two servers differ: otherwise, two links could both stay valid.
 * @returns null if the member is no longer invited
 */
async function storeInvitation(
  { database, clock }: Pick<StaffMailDependencies, 'database' | 'clock'>,
  { staffId, tokenHash }: { staffId: string; tokenHash: Buffer },
): Promise<{ member: StaffRow; createdAt: Date } | null> {
  return runTransaction(database, async (transaction) => {
    const member = await lockStaff(transaction, staffId);
    if (member?.state !== 'invited') return null;
    const [newest] = await transaction
      .select({ createdAt: max(staffInvitations.createdAt) })
      .from(staffInvitations)
      .where(eq(staffInvitations.staffId, staffId));
    const now = clock().getTime();
    const createdAt = new Date(Math.max(now, (newest?.createdAt?.getTime() ?? 0) + 1));
    const expiresAt = new Date(now + invitationHours * 3_600_000);
    await transaction.insert(staffInvitations).values({ tokenHash, staffId, createdAt, expiresAt });
    return { member, createdAt };
  });
}

/** The changes that a member is emailed about, so that they notice changes by another person. */
export type StaffNotice =
  | { kind: 'new_device' }
  | { kind: 'factor_added' | 'factor_removed'; factor: 'passkey' | 'authenticator' }
  | {
      kind: 'recovery_codes_replaced' | 'recovery_codes_disabled' | 'recovery_code_used' | 'password_changed';
    };

const noticeJob = defineJob<{ staffId: string; notice: StaffNotice; times?: number }>('notify-staff');

/** Queues the email about a change to the member’s sign-in. Repeated ones are merged, as those of clients. */
export const queueStaffNotice = (
  connection: Connection,
  staffId: string,
  notice: StaffNotice,
): Promise<void> => {
  const payload = { staffId, notice };
  if (!mergedKinds.includes(notice.kind)) return noticeJob.add(connection, payload);
  return addNotice(connection, noticeJob, `staff ${staffId} ${notice.kind}`, payload);
};

const mergedKinds: readonly StaffNotice['kind'][] = [
  'new_device',
  'recovery_codes_replaced',
  'recovery_code_used',
];

export const staffNoticeHandler = ({
  database,
  mailer,
}: Pick<StaffMailDependencies, 'database' | 'mailer'>) =>
  noticeJob.handledBy(async ({ staffId, notice, times }) => {
    const member = await findStaff(database, staffId);
    if (!member) return;
    const { subject, sentence } = wordsOf(notice);
    const paragraphs =
      notice.kind === 'recovery_codes_disabled'
        ? [sentence]
        : [
            `${sentence}${repeatedWords(times)} If that was you, you don’t need to do anything.`,
            'If it wasn’t you, tell your firm’s admin straight away. They can end your sessions and reset your sign-in.',
          ];
    await mailer.send({
      to: { name: member.name ?? '', address: member.email },
      subject,
      paragraphs: [greeting(member.name), ...paragraphs],
    });
  });

function wordsOf(notice: StaffNotice): Pick<Mail, 'subject'> & { sentence: string } {
  switch (notice.kind) {
    case 'new_device':
      return {
        subject: 'New sign-in to your staff account',
        sentence: 'Someone signed in to your staff account from a new device.',
      };
    case 'factor_added':
      return {
        subject: `${capital(factorNames[notice.factor])} was added`,
        sentence: `${capital(factorNames[notice.factor])} was added to your staff account.`,
      };
    case 'factor_removed':
      return {
        subject: `${capital(factorNames[notice.factor])} was removed`,
        sentence: `${capital(factorNames[notice.factor])} was removed from your staff account.`,
      };
    case 'recovery_codes_replaced':
      return {
        subject: 'Your recovery codes were replaced',
        sentence: 'The recovery codes of your staff account were replaced. The earlier ones no longer work.',
      };
    case 'recovery_codes_disabled':
      return {
        subject: 'Your recovery codes no longer work',
        sentence:
          'The recovery codes of your staff account no longer work, because the firm’s records were restored from a backup. Sign in with your passkey or authenticator app, and make new codes. If you no longer have it, ask your firm’s admin to reset your sign-in.',
      };
    case 'recovery_code_used':
      return {
        subject: 'A recovery code was used',
        sentence: 'Someone used a recovery code of your staff account.',
      };
    case 'password_changed':
      return {
        subject: 'Your staff password was changed',
        sentence: 'The password of your staff account was changed.',
      };
  }
}

const factorNames = { passkey: 'a passkey', authenticator: 'an authenticator app' };
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const greeting = (name: string | null) => (name ? `Hello ${name},` : 'Hello,');
