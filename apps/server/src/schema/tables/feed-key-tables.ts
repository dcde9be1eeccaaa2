import type { FeedScope } from '@keyturn/contract/staff';
import { sql } from 'drizzle-orm';
import { integer, json, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytea, instant } from './table-columns.ts';

export type { FeedScope };

export const feedKeys = pgTable('feed_keys', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  scopes: text('scopes').array().$type<FeedScope[]>().notNull(),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at'),
  revokedAt: instant('revoked_at'),
});

/** The secrets of a key: one, and more during rotations. */
export const feedKeySecrets = pgTable('feed_key_secrets', {
  hash: bytea('hash').primaryKey(),
  ownerId: uuid('key_id').notNull(),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at'),
  lastUsedAt: instant('last_used_at'),
});

/** Requests with an idempotency key, and their answers. */
export const feedRequests = pgTable(
  'feed_requests',
  {
    keyId: uuid('key_id').notNull(),
    idempotencyKey: text('idempotency_key').notNull(),
    contentHash: bytea('content_hash').notNull(),
    createdAt: instant('created_at').notNull(),
    answer: json('answer').$type<{ status: 200 | 201 | 202; body: object; location?: string }>(),
  },
  (table) => [primaryKey({ columns: [table.keyId, table.idempotencyKey] })],
);

/** Files of documents whose records are not sent yet. */
export const feedFiles = pgTable('feed_files', {
  reference: text('reference').primaryKey(),
  sha256: text('sha256').notNull(),
  size: integer('size').notNull(),
  mediaType: text('media_type').notNull(),
  sentAt: instant('sent_at').notNull(),
});

/** A record of a large batch that was rejected. */
export interface BatchRejection {
  /** From 1. */
  line: number;
  reference: string | null;
  /** Such as `price.net`; null for the whole record. */
  field: string | null;
  reason: string;
}

export const feedBatches = pgTable('feed_batches', {
  id: uuid('id').primaryKey(),
  keyId: uuid('key_id').notNull(),
  state: text('state').$type<'waiting' | 'importing' | 'done' | 'failed'>().notNull(),
  records: integer('records').notNull(),
  done: integer('done').notNull().default(0),
  created: integer('created').notNull().default(0),
  updated: integer('updated').notNull().default(0),
  unchanged: integer('unchanged').notNull().default(0),
  rejected: integer('rejected').notNull().default(0),
  rejections: jsonb('rejections').$type<BatchRejection[]>().notNull().default([]),
  reason: text('reason'),
  receivedAt: instant('received_at').notNull().default(sql`now()`),
  startedAt: instant('started_at'),
  finishedAt: instant('finished_at'),
  aliveAt: instant('alive_at').notNull().default(sql`now()`),
});
