import type { SpreadsheetField, SpreadsheetState } from '@keyturn/contract/staff';
import { sql } from 'drizzle-orm';
import { integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytea, instant } from './table-columns.ts';

/** The tables of imports from spreadsheets. `schema.sql` explains the columns. */

export interface SpreadsheetColumn {
  heading: string;
  samples: string[];
  field: SpreadsheetField | null;
}

/** The results of a check or an import so far. */
export interface StoredReport {
  cases: { created: number; updated: number; unchanged: number };
  newEmails: string[];
  existingEmails: string[];
  problems: { row: number; field: SpreadsheetField | null; reason: string }[];
  rejectedRows: number[];
}

export const spreadsheets = pgTable('spreadsheets', {
  id: uuid('id').primaryKey(),
  staffId: uuid('staff_id').notNull(),
  fileName: text('file_name').notNull(),
  content: bytea('content'),
  columns: jsonb('columns').$type<SpreadsheetColumn[]>().notNull(),
  rowCount: integer('row_count').notNull(),
  state: text('state').$type<SpreadsheetState>().notNull(),
  done: integer('done').notNull().default(0),
  doneRows: integer('done_rows').notNull().default(0),
  report: jsonb('report').$type<StoredReport>(),
  rejectedCsv: text('rejected_csv'),
  failure: text('failure'),
  address: text('address'),
  startedAt: instant('started_at'),
  newClients: uuid('new_clients').array().notNull().default([]),
  invited: integer('invited').notNull().default(0),
  createdAt: instant('created_at').notNull().default(sql`now()`),
  expiresAt: instant('expires_at').notNull(),
});

/** The field of a heading in the last import, for the whole firm. */
export const spreadsheetHeadings = pgTable('spreadsheet_headings', {
  heading: text('heading').primaryKey(),
  field: text('field').$type<SpreadsheetField>(),
  usedAt: instant('used_at').notNull().default(sql`now()`),
});

/** The cells of cases that were imported, as hashes. */
export const spreadsheetCases = pgTable('spreadsheet_cases', {
  reference: text('reference').primaryKey(),
  cells: jsonb('cells').$type<Record<string, string>>().notNull(),
  importedAt: instant('imported_at').notNull().default(sql`now()`),
});
