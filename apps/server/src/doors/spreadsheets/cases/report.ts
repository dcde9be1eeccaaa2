import { toCsv } from '@keyturn/format/csv';
import type { StoredReport } from '../../../schema/tables/spreadsheet-tables.ts';
import type { Sheet } from '../sheet/read-sheet.ts';
import type { CaseOutcome } from './import-cases.ts';
import type { RowProblem } from './sheet-case.ts';

export const emptyReport = (): StoredReport => ({
  cases: { created: 0, updated: 0, unchanged: 0 },
  newEmails: [],
  existingEmails: [],
  problems: [],
  rejectedRows: [],
});

/** Adds the outcomes of cases. A client with several cases counts once. */
export function addOutcomes(report: StoredReport, outcomes: readonly CaseOutcome[]): void {
  const created = new Set(report.newEmails);
  const existing = new Set(report.existingEmails);
  for (const outcome of outcomes) {
    if ('problems' in outcome) {
      report.problems.push(...outcome.problems);
      report.rejectedRows.push(...outcome.sheetCase.rows);
      continue;
    }
    report.cases[outcome.result] += 1;
    for (const email of outcome.newEmails) if (!existing.has(email)) created.add(email);
    for (const email of outcome.existingEmails) if (!created.has(email)) existing.add(email);
  }
  report.newEmails = [...created];
  report.existingEmails = [...existing];
}

/** Sorts problems as the spreadsheet has the rows. */
export const byRow = (left: RowProblem, right: RowProblem) => left.row - right.row;

/**
 * Writes the rows that are not imported as a spreadsheet, each with its reasons, to be corrected and imported again.
 * @param headingOf names the column of a field
 */
export function writeRejectedRows(
  { headings, rows }: Sheet,
  { problems, rejectedRows }: Pick<StoredReport, 'problems' | 'rejectedRows'>,
  headingOf: (field: NonNullable<RowProblem['field']>) => string,
): string {
  const reasons = new Map<number, string[]>();
  for (const { row, field, reason } of problems) {
    const text = field === null ? reason : `${headingOf(field)} ${reason}`;
    reasons.set(row, [...(reasons.get(row) ?? []), text]);
  }
  const rejected = new Set(rejectedRows);
  return toCsv([
    [...headings, 'Why it was not imported'],
    ...rows
      .filter(({ number }) => rejected.has(number))
      .map(({ number, cells }) => [...cells, reasons.get(number)?.join('; ') ?? otherRow]),
  ]);
}

const otherRow = 'Another row with this case reference has a problem';
