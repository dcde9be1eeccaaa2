import { type FeedList, feedFormat } from '@keyturn/contract';
import { sql } from 'drizzle-orm';
import type { ImportDependencies } from '../../../case-file/import/batches/batch-context.ts';
import type { RejectedRecord } from '../../../case-file/records/rejected-record.ts';
import { readInstallation } from '../../../firm/installation.ts';
import type { AuditActor } from '../../../platform/audit/audit-entry.ts';
import type { Connection, Transaction } from '../../../platform/database.ts';
import { spreadsheetCases } from '../../../schema/tables/spreadsheet-tables.ts';
import { importFeed } from '../../import/import-feed.ts';
import { explainReason, fieldOfPlace, staleProblem } from './explain-problem.ts';
import { findStoredCases, type StoredCases } from './find-stored-cases.ts';
import { comparable } from './group-rows.ts';
import { caseCells, matterCells, type PlannedCase, planCase } from './plan-case.ts';
import type { RowProblem, SheetCase } from './sheet-case.ts';

export interface CasesImport {
  dryRun: boolean;
  actor: AuditActor;
  address?: string | null;
  /** Cases created after this time count as created, because an earlier attempt of this import created them. */
  startedAt?: Date;
  /** Called in each transaction before it writes. @returns whether the sender may still write */
  mayWrite?(transaction: Transaction): Promise<boolean>;
}

/** The outcome of one case. */
export type CaseOutcome = { sheetCase: SheetCase } & (
  | { problems: RowProblem[] }
  | { result: PlannedCase['outcome']; newEmails: string[]; existingEmails: string[] }
);

/** The number of cases that are imported together, a tenth of the maximum of a spreadsheet. */
export const casesTogether = 500;

/**
 * Imports cases through the case feed, with its rules. Cases with a problem are left out. A case that someone else
 * changes concurrently is planned again, so that unchanged cells do not overwrite the change.
 * @returns the outcome of each
 * @throws FeedError
 */
export async function importCases(
  dependencies: ImportDependencies,
  sheetCases: readonly SheetCase[],
  request: CasesImport,
): Promise<CaseOutcome[]> {
  const outcomes = new Map<SheetCase, CaseOutcome>();
  const before = await findStoredCases(dependencies.database, sheetCases);
  let waiting = sheetCases;
  let stored = before;
  for (let attempt = 1; ; attempt += 1) {
    for (const outcome of await tryCases(dependencies, waiting, { request, stored, before }))
      outcomes.set(outcome.sheetCase, outcome);
    waiting = waiting.filter((sheetCase) => isStale(outcomes.get(sheetCase)));
    if (waiting.length === 0 || attempt === maxAttempts) break;
    stored = await findStoredCases(dependencies.database, waiting);
  }
  return sheetCases.map((sheetCase) => outcomes.get(sheetCase) ?? { sheetCase, problems: [] });
}

const maxAttempts = 3;

const isStale = (outcome: CaseOutcome | undefined): boolean =>
  outcome !== undefined &&
  'problems' in outcome &&
  outcome.problems.some(({ reason }) => reason === staleProblem);

/** @param attempt.before the stored state before the first attempt, which may have added clients */
async function tryCases(
  dependencies: ImportDependencies,
  sheetCases: readonly SheetCase[],
  { request, stored, before }: { request: CasesImport; stored: StoredCases; before: StoredCases },
): Promise<CaseOutcome[]> {
  const { firm } = await readInstallation(dependencies.database);
  const now = dependencies.clock();
  const planned: PlannedCase[] = [];
  const problems = new Map<SheetCase, RowProblem[]>();
  for (const sheetCase of sheetCases) {
    const plan = planCase(sheetCase, stored, { firmPhone: firm?.phone ?? null, now });
    if (Array.isArray(plan)) problems.set(sheetCase, plan);
    else planned.push(plan);
  }
  shareNewClients(planned);
  for (const problem of await sendRecords(dependencies, planned, { ...request, stored })) {
    const { sheetCase, ...row } = problem;
    problems.set(sheetCase, [...(problems.get(sheetCase) ?? []), row]);
  }
  const accepted = planned.filter(({ sheetCase }) => !problems.has(sheetCase));
  // Also of cases that say what is stored, and were not sent.
  if (!request.dryRun)
    await rememberCells(
      dependencies.database,
      accepted.map(({ sheetCase: { reference }, cells }) => ({ reference, cells })),
    );
  const outcomes = new Map(
    accepted.map((plan) => [
      plan.sheetCase,
      outcomeOf(plan, { cases: stored.cases, clients: before.clients }, request.startedAt),
    ]),
  );
  return sheetCases.map(
    (sheetCase) =>
      outcomes.get(sheetCase) ?? {
        sheetCase,
        problems: problems.get(sheetCase)?.slice(0, maxProblems) ?? [],
      },
  );
}

/** The maximum number of reported problems of a case. */
const maxProblems = 10;

/** A new client with several cases is sent once, and all of the cases refer to that record. */
function shareNewClients(planned: readonly PlannedCase[]): void {
  const references = new Map<string, string>();
  for (const plan of planned) {
    plan.clients = plan.clients.filter(({ record }) => {
      const email = comparable(record.email);
      const first = references.get(email);
      if (first === undefined) {
        references.set(email, record.reference);
        return true;
      }
      if (plan.case)
        plan.case.clients = plan.case.clients.map((client) => (client === record.reference ? first : client));
      return false;
    });
  }
}

type SentList = 'clients' | 'cases' | 'matters';

/** A record of the feed, and the cells that it was made from. */
interface SentRecord {
  sheetCase: SheetCase;
  row: number;
  position: 1 | 2;
  record: object;
}

/** @returns why records were rejected */
async function sendRecords(
  dependencies: ImportDependencies,
  planned: readonly PlannedCase[],
  { dryRun, actor, address = null, mayWrite, stored: { versions } }: CasesImport & { stored: StoredCases },
): Promise<(RowProblem & { sheetCase: SheetCase })[]> {
  const sent: Record<SentList, SentRecord[]> = {
    clients: planned.flatMap(({ sheetCase, clients }) =>
      clients.map(({ sent: { row, position }, record }) => ({ sheetCase, row, position, record })),
    ),
    cases: planned.flatMap(({ sheetCase, case: record }) =>
      record ? [{ sheetCase, row: sheetCase.rows[0] ?? 0, position: 1 as const, record }] : [],
    ),
    matters: planned.flatMap(({ sheetCase, matters }) =>
      matters.map((matter) => ({ sheetCase, position: 1 as const, ...matter })),
    ),
  };
  if (Object.values(sent).every((list) => list.length === 0)) return [];
  const feed = {
    format: feedFormat,
    as_of: dependencies.clock().toISOString().slice(0, 10),
    ...Object.fromEntries(
      Object.entries(sent).map(([list, records]) => [list, records.map(({ record }) => record)]),
    ),
  };
  const { rejected } = await importFeed(dependencies, {
    folder: '.',
    as: 'real',
    actor,
    address,
    dryRun,
    ...(mayWrite ? { mayWrite } : {}),
    onWritten: async (transaction, list, references) => {
      if (!dryRun) await rememberCells(transaction, cellsOfRecords(planned, list, references));
    },
    expected: versions,
    feed,
  });
  return rejected.flatMap((problem) => locate(sent, problem));
}

/** Finds the row and the cell that a rejected record came from. */
function locate(
  sent: Record<SentList, SentRecord[]>,
  { others = [], ...first }: RejectedRecord,
): (RowProblem & { sheetCase: SheetCase })[] {
  const [record = '', list, index] = /^\/(clients|cases|matters)\/(\d+)/.exec(first.place) ?? [];
  const found = sent[list as SentList]?.[Number(index)];
  if (!found) return [];
  const { sheetCase, row, position } = found;
  return [first, ...others].map(({ place, reason }) => ({
    sheetCase,
    row,
    field: fieldOfPlace(list as Extract<FeedList, SentList>, place.slice(record.length), position),
    reason: explainReason(reason),
  }));
}

interface RememberedCells {
  /** Of the case. */
  reference: string;
  cells: Record<string, string>;
}

/** The cells that these records were made from. */
function cellsOfRecords(
  planned: readonly PlannedCase[],
  list: FeedList,
  references: readonly string[],
): RememberedCells[] {
  const written = new Set(references);
  return planned.flatMap(({ sheetCase, case: sentCase, matters, cells }) => {
    const ofRecords = [
      ...(list === 'cases' && sentCase && written.has(sentCase.reference) ? [caseCells(cells)] : []),
      ...matters
        .filter(({ record }) => list === 'matters' && written.has(record.reference))
        .map(({ record }) => matterCells(cells, record.matter_type)),
    ];
    if (ofRecords.length === 0) return [];
    return { reference: sheetCase.reference, cells: Object.assign({}, ...ofRecords) };
  });
}

/**
 * Remembers cells in the transaction that applies them, so that the next import knows what has changed: an import that
 * continues after a kill would otherwise apply them again, over what the desk has changed since.
 */
async function rememberCells(connection: Connection, remembered: readonly RememberedCells[]): Promise<void> {
  if (remembered.length === 0) return;
  await connection
    .insert(spreadsheetCases)
    .values([...remembered])
    .onConflictDoUpdate({
      target: spreadsheetCases.reference,
      set: { cells: sql`${spreadsheetCases.cells} || excluded.cells`, importedAt: sql`now()` },
    });
}

function outcomeOf(
  { sheetCase, outcome }: PlannedCase,
  { cases, clients }: Pick<StoredCases, 'cases' | 'clients'>,
  startedAt: Date | undefined,
): CaseOutcome {
  const createdAt = cases.get(sheetCase.reference)?.createdAt;
  const isCreatedByThis = startedAt !== undefined && createdAt !== undefined && createdAt >= startedAt;
  const emails = sheetCase.clients.map(({ email }) => comparable(email));
  return {
    sheetCase,
    result: isCreatedByThis ? 'created' : outcome,
    newEmails: emails.filter((email) => !clients.has(email)),
    existingEmails: emails.filter((email) => clients.has(email)),
  };
}
