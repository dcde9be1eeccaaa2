import { and, eq, sql } from 'drizzle-orm';
import type { ImportDependencies } from '../../../case-file/import/batches/batch-context.ts';
import { FeedBusy, FeedError, FeedNotPermitted } from '../../../case-file/import/read-feed.ts';
import type { Connection, Database, Transaction } from '../../../platform/database.ts';
import { readCurrentPaths } from '../../../platform/firm-data/read-paths.ts';
import { defineJob, type JobHandler } from '../../../platform/jobs.ts';
import { runTransaction } from '../../../platform/run-transaction.ts';
import { type StoredReport, spreadsheets } from '../../../schema/tables/spreadsheet-tables.ts';
import { staff } from '../../../schema/tables/staff-tables.ts';
import { clients } from '../../../schema/tables/tables.ts';
import { type Columns, groupRows } from '../cases/group-rows.ts';
import { casesTogether, importCases } from '../cases/import-cases.ts';
import { addOutcomes, emptyReport, writeRejectedRows } from '../cases/report.ts';
import { readSheet, type Sheet } from '../sheet/read-sheet.ts';
import { headingOf, readFiles, rememberFields } from './spreadsheets-store.ts';

/** Checks or imports an uploaded spreadsheet, on any server. A job, so that it survives a restart. */
export const spreadsheetJob = defineJob<{ id: string }>('run-spreadsheet');

/** Milliseconds, well below what the queue allows a job. The next job continues. */
const maxRun = 20_000;

export const spreadsheetHandler = (dependencies: ImportDependencies): JobHandler =>
  spreadsheetJob.handledBy(async ({ id }) => {
    try {
      await runSpreadsheet(dependencies, id);
    } catch (error) {
      // The queue tries again.
      if (!(error instanceof FeedError) || error instanceof FeedBusy) throw error;
      await dependencies.database
        .update(spreadsheets)
        .set({ state: 'failed', failure: explainFailure(error) })
        .where(eq(spreadsheets.id, id));
    }
  });

function explainFailure(error: FeedError): string {
  if (error instanceof FeedNotPermitted) return 'You may no longer import cases.';
  return error.message.includes('must contain the "firm"')
    ? 'Your firm’s name and address are not known yet. An admin has to enter them in the settings first.'
    : error.message;
}

type Running = typeof spreadsheets.$inferSelect;

async function runSpreadsheet(dependencies: ImportDependencies, id: string): Promise<void> {
  const { database } = dependencies;
  const [found] = await database.select().from(spreadsheets).where(eq(spreadsheets.id, id));
  if (!found?.content || (found.state !== 'checking' && found.state !== 'importing')) return;
  const sheet = await readSheet(found.content);
  const columns: Columns = found.columns.map(({ field }) => field);
  const cases = groupRows(sheet, columns, await readCurrentPaths(database));
  const report = found.report ?? emptyReport();
  const request = await requestOf(database, found);
  const startedAt = performance.now();
  let { done, doneRows } = found;
  while (done < cases.length) {
    if (performance.now() - startedAt > maxRun) return spreadsheetJob.add(database, { id });
    const part = cases.slice(done, done + casesTogether);
    addOutcomes(report, await importCases(dependencies, part, request));
    doneRows += part.reduce((sum, { rows }) => sum + rows.length, 0);
    const isOurs = await saveProgress(database, found, {
      from: done,
      done: done + part.length,
      doneRows,
      report,
    });
    // Another server continues, because this one was considered dead, or a new check has started.
    if (!isOurs) return;
    done += part.length;
  }
  await finish(database, found, { done, sheet, report });
}

async function requestOf(database: Connection, { staffId, state, address, startedAt }: Running) {
  const [member] = await database.select().from(staff).where(eq(staff.id, staffId));
  return {
    dryRun: state === 'checking',
    actor: { kind: 'staff' as const, id: staffId, name: member?.name ?? member?.email ?? staffId },
    address,
    ...(startedAt && state === 'importing' ? { startedAt } : {}),
    mayWrite: (transaction: Transaction) => mayImport(transaction, staffId),
  };
}

/**
 * Whether a member may still import. They cannot be disabled, and their role cannot change, until the transaction
 * ends.
 */
async function mayImport(transaction: Transaction, staffId: string): Promise<boolean> {
  const [member] = await transaction
    .select({ role: staff.role, state: staff.state })
    .from(staff)
    .where(eq(staff.id, staffId))
    .for('share');
  return member?.state === 'active' && (member.role === 'handler' || member.role === 'admin');
}

/** @returns whether no one else has continued meanwhile */
async function saveProgress(
  database: Connection,
  { id, state }: Running,
  { from, ...progress }: { from: number; done: number; doneRows: number; report: StoredReport },
): Promise<boolean> {
  const { rowCount } = await database
    .update(spreadsheets)
    .set(progress)
    .where(isAt(id, state, from));
  return rowCount === 1;
}

const isAt = (id: string, state: Running['state'], done: number) =>
  and(eq(spreadsheets.id, id), eq(spreadsheets.state, state), eq(spreadsheets.done, done));

/** Ends a check or an import. An imported file is deleted; its rejected rows are kept for a day. */
async function finish(
  database: Database,
  { id, state, columns }: Running,
  { done, sheet, report }: { done: number; sheet: Sheet; report: StoredReport },
): Promise<void> {
  if (state === 'checking') {
    await database
      .update(spreadsheets)
      .set({ state: 'checked', report })
      .where(isAt(id, state, done));
    return;
  }
  const emails = [...report.newEmails, ...report.existingEmails];
  const newClients = await findUninvited(database, emails);
  await runTransaction(database, async (transaction) => {
    await transaction
      .update(spreadsheets)
      .set({
        state: 'imported',
        report,
        newClients,
        content: null,
        columns: columns.map((column) => ({ ...column, samples: [] })),
        rejectedCsv: writeRejectedRows(sheet, report, headingOf(columns)),
        expiresAt: sql`now() + interval '1 day'`,
      })
      .where(isAt(id, state, done));
    await rememberFields(transaction, columns);
  });
}

/** Finds the clients with these addresses who have neither a password nor an invitation. */
async function findUninvited(database: Connection, emails: string[]): Promise<string[]> {
  const rows = await database
    .select({ id: clients.id })
    .from(clients)
    .where(
      sql`lower(${clients.email}) = any(${sql.param(emails)}::text[]) and ${clients.passwordHash} is null
        and not exists (select from password_links link where link.client_id = ${clients.id} and link.purpose = 'invitation')`,
    )
    .orderBy(clients.email);
  return rows.map(({ id }) => id);
}

/** Reads the rows that were not, or would not be, imported, as a CSV file. */
export async function readRejectedRows(
  database: Connection,
  { id, columns, report }: Pick<Running, 'id' | 'columns' | 'report'>,
): Promise<string | null> {
  const { content, rejectedCsv } = await readFiles(database, id);
  if (rejectedCsv !== null) return rejectedCsv;
  if (!content || !report) return null;
  return writeRejectedRows(await readSheet(content), report, headingOf(columns));
}
