import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { WebhookEventType } from '@keyturn/contract/staff';
import { and, asc, eq, ne, type SQL, sql } from 'drizzle-orm';
import type { AuditAction, AuditActor, AuditedBy, AuditValues } from '../../platform/audit/audit-entry.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import type { Clock } from '../../platform/clock.ts';
import {
  assertBelowLimit,
  expireSecrets,
  isValidSecretOf,
} from '../../platform/credentials/replaceable-secrets.ts';
import type { Connection, Database, Transaction } from '../../platform/database.ts';
import { DomainError, integrationNotPossible } from '../../platform/domain-error.ts';
import { isId, newId } from '../../platform/ids.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import type { WebhookTargetRules } from '../../platform/webhook-target-rules.ts';
import { webhookDeliveries, webhookEndpoints, webhookSecrets } from '../../schema/tables/webhook-tables.ts';
import { parseTarget } from './parse-target.ts';
import { formatSecret } from './sign-message.ts';

export interface EndpointDependencies {
  database: Database;
  clock: Clock;
}

/** The types of events that an endpoint is notified about; null: every type, including those that later versions add. */
type EventTypes = readonly WebhookEventType[] | null;

export type Endpoint = typeof webhookEndpoints.$inferSelect;

/** The maximum number of endpoints: each event is stored and sent for each of them. */
const maxEndpoints = 20;

/**
 * Creates an endpoint, which is notified about events from now on.
 * @returns its id and its secret
 * @throws DomainError `integration_state`
 */
export async function createEndpoint(
  { database, clock, rules }: EndpointDependencies & { rules: WebhookTargetRules },
  {
    url,
    description,
    eventTypes,
    ...by
  }: { url: string; description: string; eventTypes: EventTypes } & AuditedBy,
): Promise<{ id: string; secret: string }> {
  const target = parseTarget(url, rules);
  if ('problem' in target) throw integrationNotPossible(`The address ${target.problem}.`);
  const now = clock();
  const id = newId();
  const secret = randomBytes(32);
  await runTransaction(database, async (transaction) => {
    await assertBelowLimit(transaction, webhookEndpoints, {
      name: 'webhook endpoints',
      counted: ne(webhookEndpoints.state, 'deleted'),
      max: maxEndpoints,
      reached: `There are ${maxEndpoints} endpoints already. Delete one first.`,
    });
    await transaction.insert(webhookEndpoints).values({
      id,
      url: target.url,
      description,
      eventTypes: eventTypes && [...eventTypes],
      state: 'enabled',
      createdAt: now,
      updatedAt: now,
    });
    await transaction.insert(webhookSecrets).values({ id: newId(), ownerId: id, secret, createdAt: now });
    const after = {
      // The path may contain a secret of the receiver.
      host: new URL(target.url).host,
      description,
      events: namesOf(eventTypes),
    };
    await audit(transaction, 'webhook_endpoint.created', { id, ...by, occurredAt: now, after });
  });
  return { id, secret: formatSecret(secret) };
}

/**
 * Changes what an endpoint is called, and what it is notified about from now on. Events that wait are still sent.
 * @throws DomainError `not_found`
 */
export async function changeEndpoint(
  { database, clock }: EndpointDependencies,
  {
    id,
    description,
    eventTypes,
    ...by
  }: { id: string; description: string; eventTypes: EventTypes } & AuditedBy,
): Promise<void> {
  const now = clock();
  await runTransaction(database, async (transaction) => {
    const stored = await lockEndpoint(transaction, id);
    const before = { description: stored.description, events: namesOf(stored.eventTypes) };
    const after = { description, events: namesOf(eventTypes) };
    if (isDeepStrictEqual(before, after)) return;
    await transaction
      .update(webhookEndpoints)
      .set({ description, eventTypes: eventTypes && [...eventTypes], updatedAt: now })
      .where(eq(webhookEndpoints.id, id));
    await audit(transaction, 'webhook_endpoint.changed', { id, ...by, occurredAt: now, before, after });
  });
}

/** Names event types in the audit log, in one order. */
const namesOf = (eventTypes: readonly string[] | null) => eventTypes?.toSorted().join(' ') ?? 'all';

/**
 * Lists all endpoints, oldest first, with the events that each has not received: those that have not failed, those
 * being retried, and dead letters.
 */
export async function listEndpoints(
  connection: Connection,
): Promise<(Endpoint & { pending: number; retrying: number; dead: number })[]> {
  const countOf = (condition: SQL) =>
    sql<number>`(select count(*)::int from webhook_deliveries delivery
      where delivery.endpoint_id = webhook_endpoints.id and ${condition})`;
  const rows = await connection
    .select({
      endpoint: webhookEndpoints,
      pending: countOf(sql`delivery.state = 'pending' and delivery.failures = 0`),
      retrying: countOf(sql`delivery.state = 'pending' and delivery.failures > 0`),
      dead: countOf(sql`delivery.state = 'dead'`),
    })
    .from(webhookEndpoints)
    .where(ne(webhookEndpoints.state, 'deleted'))
    .orderBy(asc(webhookEndpoints.createdAt), asc(webhookEndpoints.id));
  return rows.map(({ endpoint, ...counts }) => ({ ...endpoint, ...counts }));
}

/** Finds an endpoint with the secrets that are valid now, the newest last. @throws DomainError `not_found` */
export async function findEndpoint(
  { database, clock }: EndpointDependencies,
  id: string,
): Promise<Endpoint & { secrets: Buffer[] }> {
  const [endpoint] = isId(id) ? await database.select().from(webhookEndpoints).where(isExisting(id)) : [];
  if (!endpoint) throw new DomainError('not_found');
  const secrets = await database
    .select({ secret: webhookSecrets.secret })
    .from(webhookSecrets)
    .where(isValidSecretOf(webhookSecrets, id, clock()))
    .orderBy(asc(webhookSecrets.createdAt));
  return { ...endpoint, secrets: secrets.map(({ secret }) => secret) };
}

/**
 * Stops deliveries to an endpoint. Waiting events are kept; events recorded while it is disabled are not kept for it. Idempotent.
 * @throws DomainError `not_found`
 */
export const disableEndpoint = (
  dependencies: EndpointDependencies,
  { id, ...by }: { id: string } & AuditedBy,
): Promise<void> => setState(dependencies, { id, ...by, state: 'disabled', isGone: false });

/**
 * Disables an endpoint that has answered 410 Gone. Idempotent.
 * @returns whether it was enabled until now
 * @throws DomainError `not_found` if the endpoint was deleted during the attempt
 */
export const disableGoneEndpoint = (
  transaction: Transaction,
  { id, now }: { id: string; now: Date },
): Promise<boolean> => changeState(transaction, { id, actor: keyturn, state: 'disabled', isGone: true, now });

/**
 * Resumes deliveries to an endpoint: waiting events are sent immediately, with the full time for retries. Idempotent.
 * @throws DomainError `not_found`
 */
export const enableEndpoint = (
  dependencies: EndpointDependencies,
  { id, ...by }: { id: string } & AuditedBy,
): Promise<void> => setState(dependencies, { id, ...by, state: 'enabled', isGone: false });

/**
 * Deletes an endpoint with its secrets. Its waiting events are never sent; its deliveries are deleted by age.
 * @throws DomainError `not_found`
 */
export const deleteEndpoint = (
  dependencies: EndpointDependencies,
  { id, ...by }: { id: string } & AuditedBy,
): Promise<void> => setState(dependencies, { id, ...by, state: 'deleted', isGone: false });

/**
 * Gives an endpoint a new secret. Messages have a signature with each secret until the overlap ends, so that the receiver
 * can change to the new one at any time.
 * @param request.overlap milliseconds
 * @returns the new secret
 * @throws DomainError `not_found`, `integration_state`
 */
export async function rotateSecret(
  { database, clock }: EndpointDependencies,
  { id, overlap, ...by }: { id: string; overlap: number } & AuditedBy,
): Promise<string> {
  const now = clock();
  const secret = randomBytes(32);
  await runTransaction(database, async (transaction) => {
    await lockEndpoint(transaction, id);
    const after = await expireSecrets(transaction, webhookSecrets, { ownerId: id, overlap, now });
    await transaction.insert(webhookSecrets).values({ id: newId(), ownerId: id, secret, createdAt: now });
    await audit(transaction, 'webhook_endpoint.secret_rotated', { id, ...by, occurredAt: now, after });
  });
  return formatSecret(secret);
}

type StateChange = Pick<Endpoint, 'id' | 'state' | 'isGone'> & AuditedBy;

async function setState({ database, clock }: EndpointDependencies, change: StateChange): Promise<void> {
  const now = clock();
  await runTransaction(database, (transaction) => changeState(transaction, { ...change, now }));
}

/** @returns false if the endpoint has the state already */
async function changeState(
  transaction: Transaction,
  { id, state, isGone, now, ...by }: StateChange & { now: Date },
): Promise<boolean> {
  const before = await lockEndpoint(transaction, id);
  if (before.state === state) return false;
  await transaction
    .update(webhookEndpoints)
    .set({ state, isGone, updatedAt: now })
    .where(eq(webhookEndpoints.id, id));
  if (state === 'deleted') await transaction.delete(webhookSecrets).where(eq(webhookSecrets.ownerId, id));
  if (state === 'enabled') await sendWaiting(transaction, { endpointId: id, now });
  const after = isGone ? { answered: 410 } : null;
  await audit(transaction, `webhook_endpoint.${state}`, { id, ...by, occurredAt: now, after });
  return true;
}

/** Makes all waiting deliveries of an endpoint due. */
async function sendWaiting(transaction: Transaction, { endpointId, now }: { endpointId: string; now: Date }) {
  await transaction
    .update(webhookDeliveries)
    .set({ dueAt: now, failures: 0, retryUntil: new Date(now.getTime() + retryPeriod) })
    .where(and(eq(webhookDeliveries.endpointId, endpointId), eq(webhookDeliveries.state, 'pending')));
  await wakeServers(transaction);
}

/**
 * Milliseconds from the time an event is recorded, or sent again, until its last attempt. Must equal the value in the
 * migration.
 */
export const retryPeriod = 3 * 24 * 3_600_000;

/** The notification channel that makes the servers send due deliveries. */
export const webhooksChannel = 'keyturn_webhooks';

/** Notifies the servers once the transaction commits. */
export const wakeServers = (connection: Connection) =>
  connection.execute(sql`select pg_notify(${webhooksChannel}, '')`);

/** Locks an endpoint against other changes, and against new claims of what is due. @throws DomainError `not_found` */
export async function lockEndpoint(transaction: Transaction, id: string): Promise<Endpoint> {
  const [endpoint] = isId(id)
    ? await transaction.select().from(webhookEndpoints).where(isExisting(id)).for('no key update')
    : [];
  if (!endpoint) throw new DomainError('not_found', { message: 'No endpoint has this id.' });
  return endpoint;
}

export const audit = (
  connection: Connection,
  action: Extract<AuditAction, `webhook_endpoint.${string}`>,
  {
    id,
    ...entry
  }: { id: string; occurredAt: Date; before?: AuditValues; after: AuditValues | null } & AuditedBy,
) => recordAudit(connection, { ...entry, action, subject: { kind: 'webhook_endpoint', id } });

const isExisting = (id: string) => and(eq(webhookEndpoints.id, id), ne(webhookEndpoints.state, 'deleted'));
const keyturn: AuditActor = { kind: 'system', id: null, name: 'Keyturn' };
