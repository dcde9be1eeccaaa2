import { and, asc, desc, eq, inArray, lt, type SQL } from 'drizzle-orm';
import type { AuditedBy } from '../../platform/audit/audit-entry.ts';
import type { Connection } from '../../platform/database.ts';
import { integrationNotPossible } from '../../platform/domain-error.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { webhookAttempts, webhookDeliveries, webhookEvents } from '../../schema/tables/webhook-tables.ts';
import { audit, type EndpointDependencies, lockEndpoint, retryPeriod, wakeServers } from './endpoints.ts';

export interface LoggedDelivery {
  event: typeof webhookEvents.$inferSelect;
  delivery: typeof webhookDeliveries.$inferSelect;
  /** Oldest first. */
  attempts: (typeof webhookAttempts.$inferSelect)[];
}

/**
 * Lists the newest deliveries to an endpoint, newest event first, with their attempts.
 * @param request.before only deliveries before this position; null for all
 */
export async function listDeliveries(
  connection: Connection,
  {
    endpointId,
    isDead,
    before,
    limit,
  }: { endpointId: string; isDead: boolean; before: number | null; limit: number },
): Promise<LoggedDelivery[]> {
  const rows = await connection
    .select({ event: webhookEvents, delivery: webhookDeliveries })
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    .where(
      and(
        eq(webhookDeliveries.endpointId, endpointId),
        isDead ? eq(webhookDeliveries.state, 'dead') : undefined,
        before === null ? undefined : lt(webhookDeliveries.position, before),
      ),
    )
    .orderBy(desc(webhookDeliveries.position))
    .limit(limit);
  const ids = rows.map(({ event }) => event.id);
  const attempts =
    ids.length === 0
      ? []
      : await connection
          .select()
          .from(webhookAttempts)
          .where(and(eq(webhookAttempts.endpointId, endpointId), inArray(webhookAttempts.eventId, ids)))
          .orderBy(asc(webhookAttempts.attempt));
  return rows.map((row) => ({
    ...row,
    attempts: attempts.filter(({ eventId }) => eventId === row.event.id),
  }));
}

/**
 * Sends an event to an endpoint again, with the same id, or all its dead letters in their order. Later events of the same
 * case wait until it is delivered, as they do for a new event.
 * @param request.eventId null for all dead letters
 * @returns how many are sent again
 * @throws DomainError `not_found`, `integration_state`
 */
export async function resendEvents(
  { database, clock }: EndpointDependencies,
  { endpointId, eventId, ...by }: { endpointId: string; eventId: string | null } & AuditedBy,
): Promise<number> {
  const now = clock();
  return runTransaction(database, async (transaction) => {
    const endpoint = await lockEndpoint(transaction, endpointId);
    if (endpoint.state !== 'enabled')
      throw integrationNotPossible('The endpoint is disabled. Enable it first.');
    const chosen: SQL =
      eventId === null
        ? eq(webhookDeliveries.state, 'dead')
        : (and(
            eq(webhookDeliveries.eventId, eventId),
            inArray(webhookDeliveries.state, ['dead', 'delivered']),
          ) as SQL);
    const { rowCount } = await transaction
      .update(webhookDeliveries)
      .set({
        state: 'pending',
        failures: 0,
        dueAt: now,
        leasedUntil: null,
        finishedAt: null,
        retryUntil: new Date(now.getTime() + retryPeriod),
      })
      .where(and(eq(webhookDeliveries.endpointId, endpointId), chosen));
    const number = rowCount ?? 0;
    if (eventId !== null && number === 0)
      throw integrationNotPossible(
        'No event with this id was sent to the endpoint, or it is still being delivered.',
      );
    if (number === 0) return 0;
    await wakeServers(transaction);
    const after = eventId === null ? { dead_letters: number } : { event: eventId };
    await audit(transaction, 'webhook_endpoint.events_resent', {
      id: endpointId,
      ...by,
      occurredAt: now,
      after,
    });
    return number;
  });
}
