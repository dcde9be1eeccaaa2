import type { SpreadsheetEncoding, SpreadsheetField } from '@keyturn/contract/staff';
import { eq, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { runTransaction } from '../../../platform/run-transaction.ts';
import { spreadsheets } from '../../../schema/tables/spreadsheet-tables.ts';
import type { Columns } from '../cases/group-rows.ts';
import { decodeAs } from '../sheet/decode-text.ts';
import { guessFields } from '../sheet/guess-fields.ts';
import { readSheet } from '../sheet/read-sheet.ts';
import { spreadsheetJob } from './run-spreadsheet-job.ts';
import {
  findRememberedFields,
  findSpreadsheet,
  lockSpreadsheet,
  makeRoom,
  type StoredSpreadsheet,
  type Upload,
} from './spreadsheets-store.ts';

const samplesPerColumn = 3;
const maxSample = 80;

/**
 * Stores an uploaded file for an hour, and guesses what its columns contain. All servers can read it.
 * @param file.encoding chosen by the member for a file of unknown encoding; the file is stored as UTF-8
 * @throws DomainError `spreadsheet_unreadable`
 */
export async function uploadSpreadsheet(
  database: Database,
  {
    staffId,
    fileName,
    content: sent,
    encoding,
  }: { staffId: string; fileName: string; content: Buffer; encoding?: SpreadsheetEncoding | undefined },
): Promise<StoredSpreadsheet> {
  const content = encoding ? Buffer.from(decodeAs(sent, encoding)) : sent;
  const { headings, rows } = await readSheet(content);
  const fields = guessFields(headings, await findRememberedFields(database, headings));
  const columns = headings.map((heading, index) => ({
    heading: heading.slice(0, 200),
    samples: rows
      .map(({ cells }) => cells[index] ?? '')
      .filter((cell) => cell !== '')
      .slice(0, samplesPerColumn)
      .map((cell) => cell.slice(0, maxSample)),
    field: fields[index] ?? null,
  }));
  const id = newId();
  await runTransaction(database, async (transaction) => {
    await makeRoom(transaction, staffId);
    await transaction.insert(spreadsheets).values({
      id,
      staffId,
      fileName,
      content,
      columns,
      rowCount: rows.length,
      state: 'uploaded',
      expiresAt: sql`now() + interval '1 hour'`,
    });
  });
  return findSpreadsheet(database, { id, staffId });
}

/**
 * Starts to check all rows with these columns. A check that was made before is repeated.
 * @throws DomainError `not_found`, `invalid_input`, `spreadsheet_state`
 */
export function startCheck(database: Database, upload: Upload, columns: Columns): Promise<StoredSpreadsheet> {
  return change(database, upload, async (transaction, stored) => {
    if (!['uploaded', 'checked', 'failed'].includes(stored.state)) throw busy();
    checkColumns(columns, stored.columns.length);
    const chosen = stored.columns.map((column, index) => ({ ...column, field: columns[index] ?? null }));
    await transaction
      .update(spreadsheets)
      .set({ ...beginning, state: 'checking', columns: chosen })
      .where(eq(spreadsheets.id, stored.id));
    await spreadsheetJob.add(transaction, { id: stored.id });
  });
}

/**
 * Starts to import the rows that were checked.
 * @throws DomainError `not_found`, `spreadsheet_state`
 */
export function startImport(database: Database, upload: Upload, address: string): Promise<StoredSpreadsheet> {
  return change(database, upload, async (transaction, stored) => {
    if (stored.state !== 'checked') throw stored.state === 'importing' ? busy() : unchecked();
    await transaction
      .update(spreadsheets)
      .set({
        ...beginning,
        state: 'importing',
        address,
        startedAt: sql`now()`,
        // The file must not be deleted while it is imported.
        expiresAt: sql`now() + interval '1 hour'`,
      })
      .where(eq(spreadsheets.id, stored.id));
    await spreadsheetJob.add(transaction, { id: stored.id });
  });
}

/** @throws DomainError `not_found`, `spreadsheet_state` while it is imported */
export async function deleteSpreadsheet(database: Database, upload: Upload): Promise<void> {
  await runTransaction(database, async (transaction) => {
    const stored = await lockSpreadsheet(transaction, upload);
    if (stored.state === 'importing') throw busy();
    await transaction.delete(spreadsheets).where(eq(spreadsheets.id, stored.id));
  });
}

const beginning = { done: 0, doneRows: 0, report: null, failure: null };

async function change(
  database: Database,
  upload: Upload,
  work: (transaction: Transaction, stored: StoredSpreadsheet) => Promise<void>,
): Promise<StoredSpreadsheet> {
  return runTransaction(database, async (transaction) => {
    await work(transaction, await lockSpreadsheet(transaction, upload));
    return findSpreadsheet(transaction, upload);
  });
}

const busy = () =>
  new DomainError('spreadsheet_state', {
    message: 'This file is being checked or imported. Wait until it is done.',
  });
const unchecked = () =>
  new DomainError('spreadsheet_state', { message: 'Check this file before you import it.' });

/** @throws DomainError `invalid_input` */
function checkColumns(columns: Columns, count: number): void {
  const invalid = (reason: string) => new DomainError('invalid_input', { errors: { columns: [reason] } });
  if (columns.length !== count) throw invalid(`must have ${count} items, one for each column`);
  const chosen = columns.filter((field): field is SpreadsheetField => field !== null);
  if (new Set(chosen).size < chosen.length) throw invalid('must not name a field twice');
  if (!chosen.includes('case_reference')) throw invalid('must say which column has the case reference');
}
