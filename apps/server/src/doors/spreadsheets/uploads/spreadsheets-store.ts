import { maxListedProblems, type Spreadsheet, type SpreadsheetField } from '@keyturn/contract/staff';
import { and, desc, eq, getTableColumns, gt, inArray, notInArray, type SQL, sql } from 'drizzle-orm';
import type { Connection, Transaction } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { isId } from '../../../platform/ids.ts';
import { spreadsheetHeadings, spreadsheets } from '../../../schema/tables/spreadsheet-tables.ts';
import { labelOf } from '../cases/plan-case.ts';
import { byRow } from '../cases/report.ts';
import { headingKey } from '../sheet/guess-fields.ts';

const { content: _content, rejectedCsv: _rejected, ...columns } = getTableColumns(spreadsheets);
/** An uploaded spreadsheet without the file. */
export type StoredSpreadsheet = Omit<typeof spreadsheets.$inferSelect, 'content' | 'rejectedCsv'>;

/** Condition for an upload of a member; uploads of others are not found. */
export interface Upload {
  id: string;
  staffId: string;
}

const isOwn = ({ id, staffId }: Upload): SQL | undefined =>
  and(eq(spreadsheets.id, id), eq(spreadsheets.staffId, staffId), gt(spreadsheets.expiresAt, sql`now()`));

/** @throws DomainError `not_found` */
export async function findSpreadsheet(connection: Connection, upload: Upload): Promise<StoredSpreadsheet> {
  const [found] = isId(upload.id)
    ? await connection.select(columns).from(spreadsheets).where(isOwn(upload))
    : [];
  if (!found) throw new DomainError('not_found', { message: expired });
  return found;
}

/** Finds an upload and locks it until the transaction ends. @throws DomainError `not_found` */
export async function lockSpreadsheet(transaction: Transaction, upload: Upload): Promise<StoredSpreadsheet> {
  const [found] = isId(upload.id)
    ? await transaction.select(columns).from(spreadsheets).where(isOwn(upload)).for('update')
    : [];
  if (!found) throw new DomainError('not_found', { message: expired });
  return found;
}

const expired =
  'We don’t have this file any more. Files are deleted after an hour, or when they are imported. Choose the file again.';

/** Reads the file, and the rows that an import rejected, of an upload. */
export async function readFiles(connection: Connection, id: string) {
  const [found] = await connection
    .select({ content: spreadsheets.content, rejectedCsv: spreadsheets.rejectedCsv })
    .from(spreadsheets)
    .where(eq(spreadsheets.id, id));
  return { content: found?.content ?? null, rejectedCsv: found?.rejectedCsv ?? null };
}

/** The maximum number of a member's uploads, for use in a few tabs. */
const maxUploads = 3;

/** Deletes the oldest uploads of a member, but none that is being imported, to make room for one more. */
export async function makeRoom(transaction: Transaction, staffId: string): Promise<void> {
  const newest = transaction
    .select({ id: spreadsheets.id })
    .from(spreadsheets)
    .where(eq(spreadsheets.staffId, staffId))
    .orderBy(desc(spreadsheets.createdAt))
    .limit(maxUploads - 1);
  await transaction
    .delete(spreadsheets)
    .where(
      and(
        eq(spreadsheets.staffId, staffId),
        notInArray(spreadsheets.id, newest),
        sql`${spreadsheets.state} <> 'importing'`,
      ),
    );
}

/** Reads the fields of columns with these headings in the last import, by `headingKey`. */
export async function findRememberedFields(connection: Connection, headings: readonly string[]) {
  const keys = headings.map(headingKey);
  const rows = await connection
    .select()
    .from(spreadsheetHeadings)
    .where(inArray(spreadsheetHeadings.heading, keys));
  return new Map(rows.map(({ heading, field }): [string, SpreadsheetField | null] => [heading, field]));
}

/** Stores the fields of columns, for the firm's next spreadsheet. */
export async function rememberFields(
  connection: Connection,
  sent: readonly { heading: string; field: SpreadsheetField | null }[],
): Promise<void> {
  const fields = new Map(sent.map(({ heading, field }) => [headingKey(heading), field]));
  fields.delete('');
  if (fields.size === 0) return;
  await connection
    .insert(spreadsheetHeadings)
    .values([...fields].map(([heading, field]) => ({ heading, field })))
    .onConflictDoUpdate({
      target: spreadsheetHeadings.heading,
      set: { field: sql`excluded.field`, usedAt: sql`now()` },
    });
}

/** Returns the column of a field: its heading, or the name of the field. */
export const headingOf =
  (sent: readonly { heading: string; field: SpreadsheetField | null }[]) => (field: SpreadsheetField) =>
    sent.find((column) => column.field === field)?.heading ?? labelOf(field);

export function toSpreadsheet(stored: StoredSpreadsheet): Spreadsheet {
  const { report, state } = stored;
  const nameOf = headingOf(stored.columns);
  const isRunning = state === 'checking' || state === 'importing';
  return {
    id: stored.id,
    file_name: stored.fileName,
    state,
    rows: stored.rowCount,
    columns: stored.columns,
    done: stored.doneRows,
    report:
      report && !isRunning
        ? {
            cases: report.cases,
            clients: { created: report.newEmails.length, existing: report.existingEmails.length },
            rejected_rows: report.rejectedRows.length,
            problems: report.problems
              .toSorted(byRow)
              .slice(0, maxListedProblems)
              .map(({ row, field, reason }) => ({ row, column: field && nameOf(field), reason })),
          }
        : null,
    failure: stored.failure,
    new_clients: stored.newClients.length,
    invited: stored.invited,
    expires_at: stored.expiresAt.toISOString(),
  };
}
