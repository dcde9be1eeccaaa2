import { lte, sql } from 'drizzle-orm';
import type { Clock } from '../../platform/clock.ts';
import type { Connection } from '../../platform/database.ts';
import type { JobHandler } from '../../platform/jobs.ts';
import { webhookSecrets } from '../../schema/tables/webhook-tables.ts';

/** Milliseconds for which events and their deliveries are kept. */
const lifetime = 30 * 24 * 3_600_000;
/** The maximum number of stored events. */
const maxEvents = 200_000;
/** The number of rows deleted by one statement, so that locks are short. */
const batchSize = 1_000;

/**
 * Deletes events with their deliveries and attempts: those older than 30 days, and the oldest above 200,000. An event that
 * an enabled endpoint has not received yet is kept while it is being retried.
 * @returns how many were deleted
 */
export async function deleteOldWebhookEvents(
  connection: Connection,
  now: Date,
  limits: { maxEvents: number } = { maxEvents },
): Promise<number> {
  const until = new Date(now.getTime() - lifetime).toISOString();
  for (let deleted = 0; ; ) {
    const { rowCount } = await connection.execute(sql`
      delete from webhook_events where id = any(array(
        select id from webhook_events event
        where (created_at <= ${until}
            or position <= (select max(position) from webhook_events) - ${limits.maxEvents}::bigint)
          and not exists (
            select from webhook_deliveries delivery join webhook_endpoints endpoint on endpoint.id = endpoint_id
            where delivery.event_id = event.id and delivery.state = 'pending' and endpoint.state = 'enabled')
        order by position limit ${batchSize} for update skip locked))`);
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < batchSize) return deleted;
  }
}

/** Deletes the secrets of endpoints whose overlap has ended. */
const deleteExpiredSecrets = (connection: Connection, now: Date) =>
  connection.delete(webhookSecrets).where(lte(webhookSecrets.expiresAt, now));

/** Deletes old events, and secrets that a rotation has replaced, every hour. */
export const oldEventsHandler = ({
  database,
  clock,
}: {
  database: Connection;
  clock: Clock;
}): JobHandler => ({
  name: 'delete-old-webhook-events',
  schedule: '41 * * * *',
  work: async () => {
    await deleteOldWebhookEvents(database, clock());
    await deleteExpiredSecrets(database, clock());
  },
});
