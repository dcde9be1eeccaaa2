import { eq } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import { defineJob } from '../../platform/jobs.ts';
import { clients } from '../../schema/tables/tables.ts';
import { type NoticeDependencies, sendNotice } from './send-notice.ts';

const passwordSetJob = defineJob<{ clientId: string }>('confirm-new-password');

/** Queues the email about a new password. */
export const queuePasswordMail = (connection: Connection, clientId: string): Promise<void> =>
  passwordSetJob.add(connection, { clientId });

/** Emails the client, so that they notice if someone else changed their password. */
export const passwordSetHandler = (dependencies: NoticeDependencies) =>
  passwordSetJob.handledBy(async ({ clientId }) => {
    const [client] = await dependencies.database.select().from(clients).where(eq(clients.id, clientId));
    if (!client) return;
    await sendNotice(dependencies, client, {
      subject: 'Your password was changed',
      paragraphs: [
        `Hello ${client.firstName},`,
        `Your password was changed just now. If that was you, you don’t need to do anything.`,
        'If it wasn’t you, call us straight away on a number you already have.',
      ],
    });
  });
