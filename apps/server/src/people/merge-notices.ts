import { sql } from 'drizzle-orm';
import { hashToken } from '../platform/credentials/hash-token.ts';
import type { Connection } from '../platform/database.ts';
import type { Job } from '../platform/jobs.ts';

/** Seconds in which a person gets at most one more email about the same thing. */
const quietTime = 600;

/**
 * Queues an email about what someone did with an account. The first is sent at once. Those of the next ten minutes are one
 * email at their end, about the last of them, so that repeating it cannot fill a mailbox.
 * @param subject the account and what was done
 * @param payload the job’s payload except `times`: how often it was done in the last ten minutes
 */
export async function addNotice<Payload extends object>(
  connection: Connection,
  job: Job<Payload & { times?: number }>,
  subject: string,
  payload: Payload,
): Promise<void> {
  const hash = hashToken(`notice ${subject}`);
  // Two at the same time must not both be the first.
  await connection.execute(sql`select pg_advisory_xact_lock(${hash.readInt32BE(0)}, ${hash.readInt32BE(4)})`);
  const { rows } = await connection.execute<{ earlier: number }>(sql`
    with added as (insert into login_failures (subject, failed_at) values (${hash}, now()))
    select count(*)::int as earlier from login_failures
    where subject = ${hash} and failed_at > now() - make_interval(secs => ${quietTime})`);
  const earlier = rows[0]?.earlier ?? 0;
  const options = earlier === 0 ? {} : { key: `notice ${subject}`, delay: quietTime };
  await job.add(connection, { ...payload, times: earlier + 1 }, options);
}

/** Says how often it was done; nothing if it was once. */
export const repeatedWords = (times = 1): string =>
  times === 1 ? '' : ` This happened ${times} times within ten minutes; this was the last.`;
