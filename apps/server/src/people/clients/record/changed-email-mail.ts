import type { Transaction } from '../../../platform/database.ts';
import { newId } from '../../../platform/ids.ts';
import { defineJob } from '../../../platform/jobs.ts';
import type { Mailer } from '../../../platform/mailer.ts';

/** A client whose email address a feed has changed. */
interface ChangedEmail {
  /** Identifies this change. */
  id: string;
  /** Lets an erasure find the job. */
  clientId: string;
  /** ISO 8601. */
  at: string;
  firstName: string;
  lastName: string;
  /** The previous address, which is stored nowhere else. */
  email: string;
}

const changedEmailJob = defineJob<ChangedEmail>('report-changed-email');

/** Queues an email to the previous address of each client, in the transaction that changes it. */
export async function reportChangedEmails(
  transaction: Transaction,
  clients: readonly Omit<ChangedEmail, 'id' | 'at'>[],
  now: Date,
): Promise<void> {
  for (const client of clients) {
    await changedEmailJob.add(transaction, { ...client, id: newId(), at: now.toISOString() });
  }
}

/** Emails the previous address, so that a client notices if someone else had their address changed. */
export const changedEmailHandler = ({ mailer }: { mailer: Mailer }) =>
  changedEmailJob.handledBy(async ({ id, at, firstName, lastName, email }) => {
    await mailer.send({
      to: { name: `${firstName} ${lastName}`, address: email },
      identity: { name: `changed-email-${id}`, at: new Date(at) },
      subject: 'Your email address was changed',
      paragraphs: [
        `Hello ${firstName},`,
        'We changed the email address of your account. You now sign in with the new address, and we no longer write to this one.',
        'If you asked us to change it, you don’t need to do anything.',
        'If you didn’t, call us straight away on a number you already have.',
      ],
    });
  });
