import type { CaseFilter, TodayKindName } from '@keyturn/contract/staff';
import { integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { day, instant } from './table-columns.ts';

/** The tables of the desk. `schema.sql` explains the columns. */

export const deskItems = pgTable(
  'desk_items',
  {
    kind: text('kind').$type<TodayKindName>().notNull(),
    subjectId: uuid('subject_id').notNull(),
    occasion: text('occasion').notNull(),
    version: integer('version').notNull(),
    assignedTo: uuid('assigned_to'),
    snoozedUntil: day('snoozed_until'),
    doneAt: instant('done_at'),
    changedBy: uuid('changed_by'),
    changedAt: instant('changed_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.subjectId] })],
);

export const caseViews = pgTable('case_views', {
  id: uuid('id').primaryKey(),
  staffId: uuid('staff_id').notNull(),
  name: text('name').notNull(),
  filter: jsonb('filter').$type<CaseFilter>().notNull(),
  createdAt: instant('created_at').notNull(),
});
