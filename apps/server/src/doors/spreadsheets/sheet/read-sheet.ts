import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError, type Parser, parse } from 'csv-parse';
import { decodeText, unreadable } from './decode-text.ts';

/** A row with content. */
export interface SheetRow {
  /** As the spreadsheet numbers it: the headings are row 1. */
  number: number;
  /** Trimmed, one for each heading. */
  cells: string[];
}

export interface Sheet {
  headings: string[];
  rows: SheetRow[];
}

/** The limits of a spreadsheet. */
export const sheetLimits = { rows: 5_000, columns: 100, cell: 10_000, lines: 100_000 };

/**
 * Reads a CSV file with a row of headings. Commas, semicolons and tabs can separate its cells. Formulas are text.
 * @throws DomainError `spreadsheet_unreadable`
 */
export async function readSheet(content: Buffer): Promise<Sheet> {
  const { text, separator } = findSeparator(decodeText(content));
  const sheet: Sheet = { headings: [], rows: [] };
  for await (const { number, record } of readRecords(text, separator)) {
    const cells = withoutEmptyEnd(record);
    checkCells(cells, number);
    if (cells.length === 0) continue;
    if (sheet.headings.length === 0) sheet.headings = cells;
    else addRow(sheet, number, cells);
  }
  if (sheet.rows.length === 0)
    throw unreadable('This file has no rows below its headings. Choose another file.');
  return sheet;
}

function addRow(sheet: Sheet, number: number, cells: string[]): void {
  const { headings, rows } = sheet;
  if (rows.length === sheetLimits.rows)
    throw unreadable(
      `This file has more than ${sheetLimits.rows.toLocaleString('en-GB')} rows. Divide it, and import each part.`,
    );
  if (cells.length > headings.length)
    throw unreadable(
      `Row ${number} has ${cells.length} cells, but there are ${headings.length} headings. Give each column a heading, and put text that contains the separator in quotation marks.`,
    );
  rows.push({ number, cells: headings.map((_, index) => cells[index] ?? '') });
}

function checkCells(cells: readonly string[], number: number): void {
  if (cells.length > sheetLimits.columns)
    throw unreadable(
      `Row ${number} has more than ${sheetLimits.columns} columns. Delete those that you don’t need.`,
    );
  if (cells.some((cell) => cell.length > sheetLimits.cell)) throw longCell(number);
}

const longCell = (number: number) =>
  unreadable(
    `Row ${number} has a cell with more than ${sheetLimits.cell.toLocaleString('en-GB')} characters. Shorten it. If it isn’t that long, a quotation mark before it is not closed.`,
  );

/** An apostrophe before a formula is how spreadsheets, and our own files, mark it as text. */
const toCell = (text: string) => text.trim().replace(/^'(?=[=+\-@＝＋－＠])/, '');

function withoutEmptyEnd(record: readonly string[]): string[] {
  const cells = record.map(toCell);
  const last = cells.findLastIndex((cell) => cell !== '');
  return cells.slice(0, last + 1);
}

/** Finds the separator of cells: the most frequent candidate in the first line, outside quotation marks. */
function findSeparator(text: string): { text: string; separator: string } {
  // Excel’s own hint.
  const hint = /^sep=(.)\r?\n/.exec(text);
  if (hint?.[1]) return { text: text.slice(hint[0].length), separator: hint[1] };
  const counts = new Map([',', ';', '\t'].map((separator) => [separator, 0]));
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === '\n' || character === '\r')) break;
    else if (!isQuoted && counts.has(character)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  const [[separator] = [',']] = [...counts].sort(([, left], [, right]) => right - left);
  return { text, separator };
}

/**
 * The number of characters that are parsed before other requests get a turn. Short rows are slow: the parser creates an
 * error for each row with another number of cells than the first.
 */
const sliceLength = 1024;

interface NumberedRecord {
  /** As in `SheetRow`. */
  number: number;
  record: string[];
}

/** Reads the rows that are not empty, without blocking the server for long. */
async function* readRecords(text: string, separator: string): AsyncGenerator<NumberedRecord> {
  const found: NumberedRecord[] = [];
  const parser: Parser = parse({
    delimiter: separator,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: sheetLimits.columns * (sheetLimits.cell + 1),
  });
  let failure: Error | undefined;
  parser.on('readable', () => {
    for (let row = parser.read(); row !== null; row = parser.read())
      found.push({ number: row.info.records + row.info.empty_lines, record: row.record });
  });
  parser.on('error', (error) => {
    failure = error;
  });
  for (let start = 0; start < text.length && !failure; start += sliceLength) {
    parser.write(text.slice(start, start + sliceLength));
    await nextTurn();
    yield* found.splice(0);
    if (parser.info.records + parser.info.empty_lines > sheetLimits.lines)
      throw unreadable('This file has very many empty rows. Delete those below the last case.');
  }
  if (!failure) {
    parser.end();
    await new Promise((resolve) => parser.once('end', resolve).once('error', resolve));
    yield* found.splice(0);
  }
  if (failure) throw explain(failure);
}

function explain(error: Error): Error {
  if (!(error instanceof CsvError)) return error;
  const row = Number(error.records ?? 0) + Number(error.empty_lines ?? 0) + 1;
  switch (error.code) {
    case 'CSV_MAX_RECORD_SIZE':
      return longCell(row);
    case 'CSV_QUOTE_NOT_CLOSED':
      return unreadable(`The quotation mark that opens a cell in row ${row} is not closed.`);
    default:
      return unreadable(
        `Row ${row} has a quotation mark inside a cell. Put the whole cell in quotation marks, and double the one inside it.`,
      );
  }
}
