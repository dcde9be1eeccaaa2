import { foldName, removeInvisible } from '@keyturn/contract';
import { type MilestonePath, type SpreadsheetField, spreadsheetFieldNames } from '@keyturn/contract/staff';
import type { CurrentPaths } from '../../../platform/firm-data/read-paths.ts';
import type { Sheet, SheetRow } from '../sheet/read-sheet.ts';
import {
  assertNotShortened,
  CellProblem,
  hasMonthFirst,
  readCancellation,
  readDay,
  readEmail,
  readMatterType,
  readMilestone,
  readMoney,
  readPhone,
  readPostcode,
  readTenure,
  readYesOrNo,
} from './read-cells.ts';
import { type PersonName, readDividedName, readFullName } from './read-person-name.ts';
import { matterFields, type SheetCase, type SheetClient, type Values } from './sheet-case.ts';

/** The fields of a sheet's columns, in order. */
export type Columns = readonly (SpreadsheetField | null)[];

type Read = (text: string, context: { isMonthFirst: boolean; path: MilestonePath }) => string | number;

const asDay: Read = (text, { isMonthFirst }) => readDay(text, isMonthFirst);
/** The parsers of cells that are not plain text. */
const readers: Partial<Record<SpreadsheetField, Read>> = {
  postcode: readPostcode,
  tenure: readTenure,
  price: readMoney,
  handler_email: readEmail,
  handler_phone: readPhone,
  milestone: (text, { path }) => readMilestone(text, path),
  cancellation: (text, { isMonthFirst }) => readCancellation(text, isMonthFirst),
  cancellation_notice_given: readYesOrNo,
  instructed_on: asDay,
  target_exchange_on: asDay,
  target_completion_on: asDay,
  exchanged_on: asDay,
};

/**
 * Groups the rows of a sheet by case, in the order of their first rows, and reads their cells.
 * @param paths with the milestones that a cell can name
 */
export function groupRows(sheet: Sheet, columns: Columns, paths: CurrentPaths): SheetCase[] {
  const cases = new Map<string, SheetCase>();
  const withoutReference: SheetCase[] = [];
  const monthFirst = columnsWithMonthFirst(sheet, columns);
  for (const row of sheet.rows) {
    const cells = cellsOf(row, columns);
    const reference = cells.get('case_reference') ?? '';
    const found = cases.get(reference) ?? newCase(reference);
    if (reference === '') {
      found.problems.push({ row: row.number, field: 'case_reference', reason: 'is empty' });
      withoutReference.push(found);
    } else cases.set(reference, found);
    found.rows.push(row.number);
    readRow(found, row.number, { cells, monthFirst, paths });
  }
  const grouped = [...cases.values(), ...withoutReference];
  refuseSharedEmails(grouped);
  return grouped;
}

const newCase = (reference: string): SheetCase => ({
  reference,
  rows: [],
  values: new Map(),
  matters: new Map(),
  clients: [],
  problems: [],
});

/** Fields whose cells are often pasted from emails and web pages. */
const pasted = /_(?:email|phone|reference|number)$|^postcode$/;

/** The cells with content. */
function cellsOf(row: SheetRow, columns: Columns): Map<SpreadsheetField, string> {
  const cells = new Map<SpreadsheetField, string>();
  for (const [index, field] of columns.entries()) {
    const text = field === null ? '' : cleanCell(row.cells[index] ?? '', field);
    if (field !== null && text !== '') cells.set(field, text);
  }
  return cells;
}

/** A line break in them is none of the text: a long one was wrapped, or pasted with it. */
const unbroken = /_(?:email|reference|number)$/;

/** Puts a cell on one line, with accents joined to their letters and without invisible characters. */
function cleanCell(cell: string, field: SpreadsheetField): string {
  const lines = cell.normalize('NFC').split(/[\r\n]+/);
  const line = lines
    .map((text) => text.trim())
    .filter(Boolean)
    .join(field.startsWith('address_') ? ', ' : unbroken.test(field) ? '' : ' ');
  // Persian and Indian names need other invisible characters.
  const visible = pasted.test(field)
    ? removeInvisible(line)
    : line.replaceAll(/[\u00ad\u200b\u2060\ufeff]/g, '');
  return visible.replaceAll(/\s+/g, ' ').trim();
}

function columnsWithMonthFirst(sheet: Sheet, columns: Columns): Set<SpreadsheetField> {
  const found = columns.filter(
    (field, index) =>
      field !== null &&
      (readers[field] === asDay || field === 'cancellation') &&
      sheet.rows.some(({ cells }) => hasMonthFirst(cells[index] ?? '')),
  );
  return new Set(found as SpreadsheetField[]);
}

interface ReadCells {
  cells: ReadonlyMap<SpreadsheetField, string>;
  monthFirst: ReadonlySet<SpreadsheetField>;
  paths: CurrentPaths;
}

function readRow(found: SheetCase, row: number, { cells, monthFirst, paths }: ReadCells): void {
  const attempt = <Result>(field: SpreadsheetField, read: () => Result): Result | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof CellProblem)) throw error;
      found.problems.push({ row, field, reason: error.message });
      return undefined;
    }
  };
  attempt('case_reference', () => assertNotShortened(found.reference));
  const typeCell = cells.get('matter_type');
  const [firstType] = found.matters.keys();
  const matterType =
    typeCell === undefined ? firstType : attempt('matter_type', () => readMatterType(typeCell));
  let matter = matterType && found.matters.get(matterType);
  if (matterType && !matter) {
    matter = new Map();
    found.matters.set(matterType, matter);
  }
  for (const field of spreadsheetFieldNames) {
    const text = cells.get(field);
    const values = matterFields.has(field) ? matter : caseFields.has(field) ? found.values : undefined;
    if (text === undefined || !values) continue;
    const context = { isMonthFirst: monthFirst.has(field), path: paths[matterType ?? 'purchase'] };
    const value = attempt(field, () => readers[field]?.(text, context) ?? text);
    if (value !== undefined) attempt(field, () => addValue(values, field, { value, row }));
  }
  for (const position of [1, 2] as const) {
    const readOptional = (name: 'email' | 'phone', read: (text: string) => string) => {
      const text = cells.get(`client_${position}_${name}`);
      return text === undefined ? null : attempt(`client_${position}_${name}`, () => read(text));
    };
    const email = readOptional('email', readEmail);
    const phone = readOptional('phone', readPhone);
    const field = email === null ? 'email' : 'name';
    const name = attempt(`client_${position}_${field}`, () => readName(cells, position));
    if (!name || !email) continue;
    const client = { row, position, name, email, phone: phone ?? null };
    if (!found.clients.some((other) => isSameClient(other, client))) found.clients.push(client);
  }
}

const caseFields: ReadonlySet<SpreadsheetField> = new Set([
  'case_title',
  'cancellation',
  'cancellation_notice_given',
  'handler_name',
  'handler_role',
  'handler_email',
  'handler_phone',
]);

/** @throws CellProblem if another row of the case has a different value */
function addValue(
  values: Values,
  field: SpreadsheetField,
  sent: { value: string | number; row: number },
): void {
  const earlier = values.get(field);
  if (earlier === undefined) values.set(field, sent);
  else if (earlier.value !== sent.value)
    throw new CellProblem(`differs from row ${earlier.row}, which has the same case reference`);
}

/** @returns null if the row has no such client @throws CellProblem */
function readName(cells: ReadonlyMap<SpreadsheetField, string>, position: 1 | 2): PersonName | null {
  const cell = (name: 'name' | 'first_name' | 'last_name' | 'email' | 'phone') =>
    cells.get(`client_${position}_${name}`);
  const [full, first, last, email] = [cell('name'), cell('first_name'), cell('last_name'), cell('email')];
  if ([full, first, last, email, cell('phone')].every((text) => text === undefined)) return null;
  if (email === undefined) throw new CellProblem('is empty: the client signs in with it');
  return full === undefined ? readDividedName(first, last) : readFullName(full);
}

type NamedPerson = Pick<PersonName, 'first_name' | 'last_name'>;

const isSameValue = (left: string, right: string) => comparable(left) === comparable(right);
export const comparable = (text: string) =>
  text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
/** Whether two names are of one person, who may be written with and without accents or hyphens. */
export const isSameName = (left: NamedPerson, right: NamedPerson): boolean =>
  foldName(fullName(left)) === foldName(fullName(right));
export const fullName = ({ first_name, last_name }: NamedPerson) => `${first_name} ${last_name}`;

const isSameClient = (left: SheetClient, right: SheetClient) =>
  isSameValue(left.email, right.email) && isSameName(left.name, right.name);

/**
 * Rejects a case in which an email address has another name than before, in the same case or an earlier one: two people
 * cannot sign in with one address, and each would see the other’s cases.
 */
function refuseSharedEmails(cases: readonly SheetCase[]): void {
  const owners = new Map<string, SheetClient>();
  for (const { clients, problems } of cases) {
    for (const client of clients) {
      const owner = owners.get(comparable(client.email));
      if (!owner) owners.set(comparable(client.email), client);
      else if (!isSameName(owner.name, client.name))
        problems.push({
          row: client.row,
          field: `client_${client.position}_email`,
          reason: `is the address of ${fullName(owner.name)} in row ${owner.row}. Each client needs their own`,
        });
    }
  }
}
