import { eq } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import { defineJob } from '../../platform/jobs.ts';
import { clients } from '../../schema/tables/tables.ts';
import { addNotice, repeatedWords } from '../merge-notices.ts';
import { type NoticeDependencies, sendNotice } from './send-notice.ts';

const passwordSetJob = defineJob<{ clientId: string; times?: number }>('confirm-new-password');

/** Queues the email about a new password. Repeated ones are merged. */
export const queuePasswordMail = (connection: Connection, clientId: string): Promise<void> =>
  addNotice(connection, passwordSetJob, `client ${clientId} password`, { clientId });

/** Emails the client, so that they notice if someone else changed their password. */
export const passwordSetHandler = (dependencies: NoticeDependencies) =>
  passwordSetJob.handledBy(async ({ clientId, times }) => {
    const [client] = await dependencies.database.select().from(clients).where(eq(clients.id, clientId));
    if (!client) return;
    await sendNotice(dependencies, client, {
      subject: 'Your password was changed',
      paragraphs: [
        `Hello ${client.firstName},`,
        `Your password was changed just now.${repeatedWords(times)} If that was you, you don’t need to do anything.`,
        'If it wasn’t you, call us straight away on a number you already have.',
      ],
    });
  });
