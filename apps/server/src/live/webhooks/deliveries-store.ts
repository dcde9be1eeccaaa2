import { and, eq, inArray, or, sql } from 'drizzle-orm';
import { isUnexpired } from '../../platform/credentials/replaceable-secrets.ts';
import type { Connection, Database, Transaction } from '../../platform/database.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import {
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
  webhookSecrets,
} from '../../schema/tables/webhook-tables.ts';
import type { ReceiverAnswer } from './ports.ts';

/** An event that this server has claimed for an endpoint. */
export interface ClaimedDelivery {
  endpointId: string;
  url: string;
  /** All secrets that are valid now. */
  secrets: Buffer[];
  event: typeof webhookEvents.$inferSelect;
  /** Counts every attempt, this one included: the result of an earlier one is ignored. */
  attempt: number;
  /** Earlier attempts that failed. */
  failures: number;
  retryUntil: Date;
}

/**
 * Claims the deliveries that are due: the oldest of each case, as long as no earlier event of the case waits for the same
 * endpoint. A claim ends by itself, so that another server continues after this one was killed. The database’s clock decides
 * when, because a server whose own clock is ahead would repeat attempts that another one is making.
 * @param options.maxConcurrent for each endpoint, on all servers together
 * @param options.lease milliseconds
 */
export function claimDeliveries(
  database: Database,
  options: { now: Date; lease: number; maxConcurrent: number },
): Promise<ClaimedDelivery[]> {
  return runTransaction(database, async (transaction) => {
    const claimed: ClaimedRow[] = [];
    for (const endpointId of await lockEndpoints(transaction, options.now))
      claimed.push(...(await claimFirstOfCases(transaction, { ...options, endpointId })));
    return completeClaims(transaction, claimed, options.now);
  });
}

/**
 * Locks enabled endpoints that may have due deliveries. Endpoints that are already locked are being handled by
 * another server.
 */
async function lockEndpoints(transaction: Transaction, now: Date): Promise<string[]> {
  const { rows } = await transaction.execute<{ id: string }>(sql`
    select id from webhook_endpoints endpoint where state = 'enabled' and (
      -- A limit, so that this is one lookup in an index and not a join with everything that waits.
      select true from webhook_deliveries
      where endpoint_id = endpoint.id and state = 'pending' and due_at <= ${now.toISOString()}
        and (leased_until is null or leased_until <= now())
      limit 1)
    order by id for no key update skip locked`);
  return rows.map(({ id }) => id);
}

/** A type rather than an interface, because `execute` requires one. */
type ClaimedRow = { endpoint_id: string; event_id: string; attempts: number; failures: number };

async function claimFirstOfCases(
  transaction: Transaction,
  options: { endpointId: string; now: Date; lease: number; maxConcurrent: number },
): Promise<ClaimedRow[]> {
  const { endpointId, now, lease } = options;
  // Counted first, because PostgreSQL's planner chooses an index only if it knows that the number is small.
  const counted = await transaction.execute<{ leased: number }>(sql`
    select count(*)::int as leased from webhook_deliveries
    where endpoint_id = ${endpointId} and leased_until > now()`);
  const free = options.maxConcurrent - (counted.rows[0]?.leased ?? 0);
  if (free <= 0) return [];
  const { rows } = await transaction.execute<ClaimedRow>(sql`
    update webhook_deliveries
    set attempts = attempts + 1, leased_until = now() + ${lease} * interval '1 millisecond'
    where endpoint_id = ${endpointId} and event_id = any(array(
      select event_id from webhook_deliveries waiting
      where endpoint_id = ${endpointId} and state = 'pending' and due_at <= ${now.toISOString()}::timestamptz
        and (leased_until is null or leased_until <= now())
        and not exists (
          select from webhook_deliveries earlier
          where earlier.endpoint_id = ${endpointId} and earlier.ordering_key = waiting.ordering_key
            and earlier.state = 'pending' and earlier.position < waiting.position)
      order by due_at, position limit ${free}))
    returning endpoint_id, event_id, attempts, failures`);
  return rows;
}

async function completeClaims(
  transaction: Transaction,
  claimed: readonly ClaimedRow[],
  now: Date,
): Promise<ClaimedDelivery[]> {
  if (claimed.length === 0) return [];
  const endpoints = [...new Set(claimed.map((row) => row.endpoint_id))];
  const secrets = await transaction
    .select()
    .from(webhookSecrets)
    .where(and(inArray(webhookSecrets.ownerId, endpoints), isUnexpired(webhookSecrets, now)));
  const rows = await transaction
    .select({ delivery: webhookDeliveries, event: webhookEvents, url: webhookEndpoints.url })
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .where(or(...claimed.map((row) => isDelivery({ endpointId: row.endpoint_id, eventId: row.event_id }))));
  return rows.map(({ delivery, event, url }) => ({
    endpointId: delivery.endpointId,
    url,
    secrets: secrets.flatMap(({ ownerId, secret }) => (ownerId === delivery.endpointId ? secret : [])),
    event,
    attempt: delivery.attempts,
    failures: delivery.failures,
    retryUntil: delivery.retryUntil,
  }));
}

export interface DeliveryKey {
  endpointId: string;
  eventId: string;
}

export const isDelivery = ({ endpointId, eventId }: DeliveryKey) =>
  and(eq(webhookDeliveries.endpointId, endpointId), eq(webhookDeliveries.eventId, eventId));

/** Ends a claim whose attempt was not made, or was aborted by this server. */
export async function releaseDelivery(
  connection: Connection,
  { attempt, ...key }: DeliveryKey & { attempt: number },
): Promise<void> {
  await connection
    .update(webhookDeliveries)
    .set({ leasedUntil: null })
    .where(and(isDelivery(key), eq(webhookDeliveries.attempts, attempt)));
}

/** The result of an attempt; `retry` has the time of the next one. */
export type DeliveryResult = { state: 'delivered' | 'dead' } | { state: 'retry'; at: Date };

/**
 * Records an attempt and its result.
 * @returns false if the claim had ended and another server made a later attempt: nothing was recorded
 */
export async function recordAttempt(
  connection: Connection,
  attempted: DeliveryKey & {
    attempt: number;
    startedAt: Date;
    finishedAt: Date;
    answer: ReceiverAnswer;
    result: DeliveryResult;
  },
): Promise<boolean> {
  const { endpointId, eventId, attempt, startedAt, finishedAt, answer, result } = attempted;
  const isPending = result.state === 'retry';
  const { rowCount } = await connection.execute(sql`
    with updated as (
      update webhook_deliveries set
        state = ${isPending ? 'pending' : result.state},
        failures = failures + ${result.state === 'delivered' ? 0 : 1},
        due_at = ${isPending ? result.at.toISOString() : sql`due_at`},
        leased_until = null,
        finished_at = ${isPending ? null : finishedAt.toISOString()}
      where endpoint_id = ${endpointId} and event_id = ${eventId} and attempts = ${attempt} and state = 'pending'
      returning endpoint_id, event_id, attempts)
    insert into webhook_attempts (endpoint_id, event_id, attempt, started_at, milliseconds, status, error)
    select endpoint_id, event_id, attempts, ${startedAt.toISOString()}::timestamptz,
      ${Math.max(0, finishedAt.getTime() - startedAt.getTime())}::int, ${answer.status}::int, ${answer.error}::text
    from updated`);
  return rowCount === 1;
}

/** Lets any server send the deliveries that others had leased, because none of those is running any more. */
export const releaseDeliveries = (connection: Connection) =>
  connection.execute(sql`update webhook_deliveries set leased_until = null where leased_until is not null`);
