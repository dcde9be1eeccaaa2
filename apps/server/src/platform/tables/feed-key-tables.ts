import type { FeedList } from '@keyturn/contract';
import { pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytea, instant } from './table-columns.ts';

export const feedKeys = pgTable('feed_keys', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  scopes: text('scopes').array().$type<`${FeedList}:write`[]>().notNull(),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at'),
  revokedAt: instant('revoked_at'),
});

/** The secrets of a key: one, and during a rotation two. */
export const feedKeySecrets = pgTable('feed_key_secrets', {
  hash: bytea('hash').primaryKey(),
  keyId: uuid('key_id').notNull(),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at'),
  lastUsedAt: instant('last_used_at'),
});
