import { type WithdrawalReason, withdrawalReasons } from '@keyturn/contract/staff';
import { formatDayAndTime } from '@keyturn/format/london-time';
import { sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database.ts';
import { defineJob, type Job, type JobHandler } from '../../platform/jobs.ts';
import type { Mail, Mailer } from '../../platform/mailer.ts';
import { findSeenBy } from './find-seen-by.ts';

interface Report {
  documentId: string;
  clientId: string;
  /** When the member withdrew the document or reported malware in it; missing in jobs of the last release. */
  at?: string;
}

/** Separate, because a server of the last release sends the email about a mistake only. */
const reportJobs: Record<WithdrawalReason, Job<Report>> = {
  mistake: defineJob('report-withdrawn-document'),
  malware: defineJob('report-malware-in-document'),
};

/** Queues the email that asks a client who has seen a withdrawn document to delete their copies. */
export const queueWithdrawalMail = (
  transaction: Transaction,
  reason: WithdrawalReason,
  { documentId, clientId, at }: { documentId: string; clientId: string; at: Date },
): Promise<void> => reportJobs[reason].add(transaction, { documentId, clientId, at: at.toISOString() });

type ReportText = (about: { firstName: string; opened: string }) => Pick<Mail, 'subject' | 'paragraphs'>;

const reportTexts: Record<WithdrawalReason, ReportText> = {
  mistake: ({ firstName, opened }) => ({
    subject: 'Please delete a document that we shared by mistake',
    paragraphs: [
      `Hello ${firstName},`,
      `${opened} that we had shared with you by mistake. We have removed it, and it can no longer be opened.`,
      'It may contain information about someone else. Please delete any copy that you have downloaded or printed, and don’t pass it on.',
      'We’re sorry about this. If you have already passed it on, or have any questions, please call us on a number you already have.',
    ],
  }),
  malware: ({ firstName, opened }) => ({
    subject: 'Please delete a document whose file may contain a virus',
    paragraphs: [
      `Hello ${firstName},`,
      `${opened}. We have since found that its file may contain a virus. We have removed it, and it can no longer be opened.`,
      'Please delete any copy that you have downloaded, without opening it, and check the device you opened it on with antivirus software. If you have passed it on, please ask that person to do the same.',
      'We’re sorry about this. If you have any questions, please call us on a number you already have.',
    ],
  }),
};

/** Ask clients who have seen a withdrawn document to delete their copies. */
export const withdrawnDocumentHandlers = (dependencies: {
  database: Database;
  mailer: Mailer;
}): JobHandler[] =>
  withdrawalReasons.map((reason) =>
    reportJobs[reason].handledBy((report) => sendReport(dependencies, reason, report)),
  );

async function sendReport(
  { database, mailer }: { database: Database; mailer: Mailer },
  reason: WithdrawalReason,
  { documentId, clientId, at }: Report,
): Promise<void> {
  const { rows } = await database.execute<{
    first_name: string;
    last_name: string;
    email: string;
    withdrawn_at: string | Date;
  }>(sql`
    select c.first_name, c.last_name, c.email, d.withdrawn_at
    from documents d cross join clients c
    where d.id = ${documentId} and c.id = ${clientId} and c.erased_at is null`);
  const [client] = rows;
  const seen = (await findSeenBy(database, documentId)).find((by) => by.clientId === clientId);
  if (!client || !seen) return;
  await mailer.send({
    to: { name: `${client.first_name} ${client.last_name}`, address: client.email },
    ...reportTexts[reason]({
      firstName: client.first_name,
      opened: `On ${formatDayAndTime(seen.at)} you opened a document in your case`,
    }),
    identity: {
      name: `${reason === 'malware' ? 'malware' : 'withdrawn'}-${documentId}-${clientId}`,
      at: new Date(at ?? client.withdrawn_at),
    },
  });
}
