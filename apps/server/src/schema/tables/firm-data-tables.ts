import { integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { bytea, instant } from './table-columns.ts';

/**
 * Every version of the data that the firm edits at the desk. Append-only: the database refuses every other change.
 */
export const firmData = pgTable(
  'firm_data',
  {
    kind: text('kind').notNull(),
    version: integer('version').notNull(),
    value: jsonb('value').notNull(),
    changedAt: instant('changed_at').notNull(),
    changedBy: text('changed_by'),
  },
  (table) => [primaryKey({ columns: [table.kind, table.version] })],
);

export const firmLogos = pgTable('firm_logos', {
  id: text('id').primaryKey(),
  mediaType: text('media_type').$type<'image/png' | 'image/webp'>().notNull(),
  width: integer('width').notNull(),
  height: integer('height').notNull(),
  content: bytea('content').notNull(),
  createdAt: instant('created_at').notNull(),
});
