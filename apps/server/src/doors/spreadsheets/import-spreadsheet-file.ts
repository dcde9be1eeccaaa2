import { readFile, stat } from 'node:fs/promises';
import { maxSpreadsheetBytes } from '@keyturn/contract/staff';
import type { ImportDependencies } from '../../case-file/import/batches/batch-context.ts';
import { FeedError } from '../../case-file/import/read-feed.ts';
import { commandLineActor } from '../../platform/audit/record-audit.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { readCurrentPaths } from '../../platform/firm-data/read-paths.ts';
import type { ImportProgress } from '../import/import-progress.ts';
import { groupRows } from './cases/group-rows.ts';
import { casesTogether, importCases } from './cases/import-cases.ts';
import { addOutcomes, byRow, emptyReport } from './cases/report.ts';
import { guessFields } from './sheet/guess-fields.ts';
import { readSheet, type Sheet } from './sheet/read-sheet.ts';
import { findRememberedFields, headingOf } from './uploads/spreadsheets-store.ts';

/**
 * Imports a CSV file of cases, and prints what is left out and the result.
 * @param progress shows how far the import is; by default, nothing does
 * @returns the exit code: 0 everything imported, 1 some rows rejected, 2 the file cannot be imported
 */
export async function importSpreadsheetFile(
  dependencies: ImportDependencies,
  { file, dryRun }: { file: string; dryRun: boolean },
  print: (line: string) => void,
  progress?: ImportProgress,
): Promise<0 | 1 | 2> {
  try {
    const { sheet, columns } = await openSheet(dependencies, file);
    const leftOut = columns
      .filter(({ field }) => field === null)
      .map(({ heading }) => JSON.stringify(heading));
    if (leftOut.length > 0) print(`columns that are not imported: ${leftOut.join(', ')}`);
    const cases = groupRows(
      sheet,
      columns.map(({ field }) => field),
      await readCurrentPaths(dependencies.database),
    );
    const report = emptyReport();
    for (let done = 0; done < cases.length; done += casesTogether) {
      progress?.show(done, cases.length);
      const part = cases.slice(done, done + casesTogether);
      addOutcomes(report, await importCases(dependencies, part, { dryRun, actor: commandLineActor() }));
    }
    progress?.clear();
    const nameOf = headingOf(columns);
    for (const { row, field, reason } of report.problems.toSorted(byRow))
      print(`row ${row}${field === null ? '' : `, column ${JSON.stringify(nameOf(field))}`}: ${reason}`);
    const { created, updated, unchanged } = report.cases;
    const would = dryRun ? 'would be ' : '';
    print(
      `${created} cases ${would}created, ${updated} ${would}updated, ${unchanged} unchanged, ${report.rejectedRows.length} rows rejected; ${report.newEmails.length} clients ${would}created`,
    );
    return report.rejectedRows.length > 0 ? 1 : 0;
  } catch (error) {
    if (!(error instanceof FeedError || error instanceof DomainError)) throw error;
    progress?.clear();
    print(error.message);
    return 2;
  }
}

async function openSheet({ database }: ImportDependencies, file: string) {
  const sheet: Sheet = await readSheet(await readLimited(file));
  const { headings } = sheet;
  const fields = guessFields(headings, await findRememberedFields(database, headings));
  if (!fields.includes('case_reference'))
    throw new FeedError(
      'No column has the heading "Case reference". Give it to the column with your references.',
    );
  return { sheet, columns: headings.map((heading, index) => ({ heading, field: fields[index] ?? null })) };
}

/** @throws FeedError */
async function readLimited(file: string): Promise<Buffer> {
  try {
    const { size } = await stat(file);
    if (size > maxSpreadsheetBytes)
      throw new FeedError('The file is larger than 10 MB. Divide it, and import each part.');
    return await readFile(file);
  } catch (error) {
    if (error instanceof FeedError) throw error;
    throw new FeedError(`The file cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}
