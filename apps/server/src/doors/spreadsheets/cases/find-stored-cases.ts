import type { FeedRecord, MatterType } from '@keyturn/contract';
import type { MilestonePath } from '@keyturn/contract/staff';
import { inArray, sql } from 'drizzle-orm';
import { findKnown } from '../../../case-file/records/find-known.ts';
import { readRecords } from '../../../case-file/records/read-records.ts';
import type { Connection } from '../../../platform/database.ts';
import { type CurrentPaths, readCurrentPaths } from '../../../platform/firm-data/read-paths.ts';
import { spreadsheetCases } from '../../../schema/tables/spreadsheet-tables.ts';
import { clients, conveyancingCases, matters } from '../../../schema/tables/tables.ts';
import { comparable } from './group-rows.ts';
import type { SheetCase } from './sheet-case.ts';

export interface KnownClient {
  reference: string;
  first_name: string;
  last_name: string;
}

/** A stored matter with its path. */
export interface StoredMatter {
  record: FeedRecord<'matters'>;
  path: MilestonePath;
}

export interface KnownCase {
  record: FeedRecord<'cases'>;
  createdAt: Date;
  /** By type. A case can have several of a type from a feed. */
  matters: Map<MatterType, StoredMatter[]>;
}

/** The stored cases and clients that a sheet is about. */
export interface StoredCases {
  /** By reference. */
  cases: Map<string, KnownCase>;
  /** By email, as `comparable` returns it. */
  clients: Map<string, KnownClient>;
  /** Hashes of the cells of earlier imports, by case and cell. */
  cells: Map<string, Record<string, string>>;
  /** The path of new matters of each type. */
  paths: CurrentPaths;
  /** The versions are read before the records, so that the import does not overwrite later changes by others. */
  versions: Record<'cases' | 'matters', ReadonlyMap<string, string | null>>;
}

/** @returns the reference of the matter that a sheet adds to a case */
export const newMatterReference = (caseReference: string, type: MatterType): string =>
  `${caseReference}-${suffixes[type]}`;

const suffixes: Record<MatterType, string> = {
  purchase: 'P',
  sale: 'S',
  remortgage: 'R',
  'transfer-of-equity': 'T',
};

export async function findStoredCases(
  connection: Connection,
  sheetCases: readonly SheetCase[],
): Promise<StoredCases> {
  const references = sheetCases.map(({ reference }) => reference);
  const emails = sheetCases.flatMap((sheetCase) => sheetCase.clients.map(({ email }) => comparable(email)));
  const added = sheetCases.flatMap(({ reference, matters: ofCase }) =>
    [...ofCase.keys()].map((type) => newMatterReference(reference, type)),
  );
  const rows = await findMatters(connection, references);
  const existing = rows.flatMap(({ matter }) => matter ?? []);
  const versions = {
    cases: await findVersions(connection, 'cases', references),
    matters: await findVersions(connection, 'matters', [...added, ...existing]),
  };
  return {
    versions,
    cases: await readCases(connection, rows),
    clients: await findClients(connection, emails),
    cells: await findCells(connection, references),
    paths: await readCurrentPaths(connection),
  };
}

async function findVersions(connection: Connection, list: 'cases' | 'matters', references: string[]) {
  const known = await findKnown(connection, list, references);
  return new Map(references.map((reference) => [reference, known.get(reference)?.rowVersion ?? null]));
}

interface CaseRow {
  reference: string;
  createdAt: Date;
  /** The reference of one of its matters; null for a case without any. */
  matter: string | null;
}

const findMatters = async (connection: Connection, references: string[]): Promise<CaseRow[]> =>
  connection
    .select({
      reference: conveyancingCases.reference,
      createdAt: conveyancingCases.createdAt,
      matter: matters.reference,
    })
    .from(conveyancingCases)
    .leftJoin(matters, sql`${matters.caseId} = ${conveyancingCases.id}`)
    .where(inArray(conveyancingCases.reference, references))
    .orderBy(matters.position);

async function readCases(connection: Connection, rows: readonly CaseRow[]): Promise<Map<string, KnownCase>> {
  const found = new Map<string, KnownCase>();
  const references = [...new Set(rows.map(({ reference }) => reference))];
  const records = await readRecords(connection, 'cases', references);
  const ofCases = await readRecords(
    connection,
    'matters',
    rows.flatMap(({ matter }) => matter ?? []),
  );
  for (const { reference, createdAt, matter } of rows) {
    const record = records.get(reference)?.record as FeedRecord<'cases'> | undefined;
    if (!record) continue;
    const stored = found.get(reference) ?? { record, createdAt, matters: new Map() };
    found.set(reference, stored);
    const ofCase = ofCases.get(matter ?? '');
    if (!ofCase?.path) continue;
    const storedMatter = { record: ofCase.record as FeedRecord<'matters'>, path: ofCase.path };
    const { matter_type } = storedMatter.record;
    stored.matters.set(matter_type, [...(stored.matters.get(matter_type) ?? []), storedMatter]);
  }
  return found;
}

async function findClients(connection: Connection, emails: string[]): Promise<Map<string, KnownClient>> {
  const rows = await connection
    .select({
      email: sql<string>`lower(${clients.email})`,
      reference: clients.reference,
      first_name: clients.firstName,
      last_name: clients.lastName,
    })
    .from(clients)
    .where(sql`lower(${clients.email}) = any(${sql.param(emails)}::text[])`);
  return new Map(
    rows.flatMap(({ email, reference, ...name }) =>
      reference === null ? [] : [[comparable(email), { reference, ...name }]],
    ),
  );
}

async function findCells(connection: Connection, references: string[]) {
  const rows =
    references.length === 0
      ? []
      : await connection
          .select({ reference: spreadsheetCases.reference, cells: spreadsheetCases.cells })
          .from(spreadsheetCases)
          .where(inArray(spreadsheetCases.reference, references));
  return new Map(rows.map(({ reference, cells }) => [reference, cells]));
}
