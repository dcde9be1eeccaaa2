import { bigint, boolean, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytea, instant } from './table-columns.ts';

/** The tables of outgoing webhooks. `schema.sql` explains the columns. */

export const webhookEndpoints = pgTable('webhook_endpoints', {
  id: uuid('id').primaryKey(),
  url: text('url').notNull(),
  description: text('description').notNull(),
  /** Null: every type, including those that later versions add. */
  eventTypes: text('event_types').array(),
  state: text('state').$type<'enabled' | 'disabled' | 'deleted'>().notNull(),
  isGone: boolean('is_gone').notNull().default(false),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
});

export const webhookSecrets = pgTable('webhook_secrets', {
  id: uuid('id').primaryKey(),
  ownerId: uuid('endpoint_id').notNull(),
  secret: bytea('secret').notNull(),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at'),
});

export const webhookEvents = pgTable('webhook_events', {
  id: text('id').primaryKey(),
  position: bigint('position', { mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
  type: text('type').notNull(),
  occurredAt: instant('occurred_at').notNull(),
  orderingKey: uuid('ordering_key').notNull(),
  data: jsonb('data').$type<Record<string, string>>().notNull(),
  path: text('path').notNull(),
  createdAt: instant('created_at').notNull(),
});

export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    endpointId: uuid('endpoint_id').notNull(),
    eventId: text('event_id').notNull(),
    position: bigint('position', { mode: 'number' }).notNull(),
    orderingKey: uuid('ordering_key').notNull(),
    state: text('state').$type<'pending' | 'delivered' | 'dead'>().notNull(),
    attempts: integer('attempts').notNull(),
    failures: integer('failures').notNull(),
    dueAt: instant('due_at').notNull(),
    leasedUntil: instant('leased_until'),
    retryUntil: instant('retry_until').notNull(),
    finishedAt: instant('finished_at'),
  },
  (table) => [primaryKey({ columns: [table.endpointId, table.eventId] })],
);

export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    endpointId: uuid('endpoint_id').notNull(),
    eventId: text('event_id').notNull(),
    attempt: integer('attempt').notNull(),
    startedAt: instant('started_at').notNull(),
    milliseconds: integer('milliseconds').notNull(),
    status: integer('status'),
    error: text('error'),
  },
  (table) => [primaryKey({ columns: [table.endpointId, table.eventId, table.attempt] })],
);
