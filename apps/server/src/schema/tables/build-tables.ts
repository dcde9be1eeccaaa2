import { boolean, pgTable, text } from 'drizzle-orm/pg-core';
import { bytea, instant } from './table-columns.ts';

/** The files of the builds that servers serve, or have served in the last day. */
export const buildFiles = pgTable('build_files', {
  path: text('path').primaryKey(),
  content: bytea('content').notNull(),
  /** Whether the content is compressed with Brotli. */
  isCompressed: boolean('is_compressed').notNull(),
  servedAt: instant('served_at').notNull(),
});
