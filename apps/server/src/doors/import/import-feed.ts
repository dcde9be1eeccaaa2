import { type FeedList, type FeedRecord, type Firm, feedRecords } from '@keyturn/contract';
import { TransactionRollbackError } from 'drizzle-orm';
import { withDeskChoices } from '../../case-file/documents/desk-signing.ts';
import { applyBatch } from '../../case-file/import/batches/apply-batch.ts';
import type {
  BatchTarget,
  ImportDependencies,
  Outcome,
} from '../../case-file/import/batches/batch-context.ts';
import { prepareFiles } from '../../case-file/import/batches/find-changes.ts';
import {
  checkClaim,
  claimInstallation,
  type InstallationClaim,
  readFirm,
} from '../../case-file/import/claim-installation.ts';
import {
  createFolderFiles,
  type ImportedFiles,
  type PreparedFile,
} from '../../case-file/import/documents/prepare-documents.ts';
import { batchSizes, type FeedSource, openParsedFeed } from '../../case-file/import/feed-source.ts';
import { analyseImported, flushFeed, lockImports } from '../../case-file/import/feed-store.ts';
import { FeedNotPermitted } from '../../case-file/import/read-feed.ts';
import { createReferenceSet } from '../../case-file/import/sent-order.ts';
import { findKnown } from '../../case-file/records/find-known.ts';
import { findProblem } from '../../case-file/records/find-problem.ts';
import { isOrdered, recordDefinitions } from '../../case-file/records/record-definitions.ts';
import type { RecordRejected, RejectedRecord } from '../../case-file/records/rejected-record.ts';
import type { AuditActor, AuditValues } from '../../platform/audit/audit-entry.ts';
import { recordAudit, recordAudits } from '../../platform/audit/record-audit.ts';
import type { Connection, Database, Transaction } from '../../platform/database.ts';
import { runTransaction } from '../../platform/run-transaction.ts';

export interface ImportRequest {
  /** The folder that document files are relative to. */
  folder: string;
  /** The kind of cases: real ones and the demonstration never mix. */
  as: 'real' | 'demonstration';
  /** For the audit log. */
  actor: AuditActor;
  /** IP address of the caller; null for commands. */
  address?: string | null;
  /** Whether to report the outcomes without writing anything. */
  dryRun?: boolean;
  /** The source of document files, if not the folder. */
  files?: ImportedFiles;
  /** Called in each transaction before it writes. @returns whether the sender may still write */
  mayWrite?(transaction: Transaction): Promise<boolean>;
  /** Called in the transaction that writes records of a list, with their references. */
  onWritten?(transaction: Transaction, list: FeedList, references: readonly string[]): Promise<void>;
  /** The versions that the sender has read; records with other stored versions are rejected. */
  expected?: ExpectedVersions;
  /** Whether the records are withdrawn, for the audit log. */
  withdraws?: boolean;
}

/** The versions of stored rows by list and reference; null for a record that is not stored. */
export type ExpectedVersions = Partial<Record<FeedList, ReadonlyMap<string, string | null>>>;

export interface ImportCounts {
  created: number;
  updated: number;
  unchanged: number;
  rejected: number;
}

/** Callbacks that report the progress of an import. */
export interface ImportObserver {
  onRejected(record: RejectedRecord): void;
  /** Called after each batch. */
  onProgress?(done: number, total: number): void;
}

/**
 * Imports a case feed. New records are created, changed ones updated, unchanged ones left alone. An invalid record is
 * rejected with its position and reason while the others are imported. Each record is written completely or not at
 * all. Records are written in batches, so that the memory use hardly depends on the size of the feed. A dry run does
 * the same in one transaction and rolls it back.
 * @throws FeedError when the feed as a whole cannot be imported
 */
export async function importSource(
  dependencies: ImportDependencies,
  source: FeedSource,
  request: ImportRequest,
  observer: ImportObserver,
): Promise<ImportCounts> {
  const { database } = dependencies;
  const firm = readFirm(source.firm);
  const { folder, actor, address = null } = request;
  const files = request.files ?? createFolderFiles(dependencies, { folder, sender: { actor, address } });
  if (request.dryRun) {
    const prepared = await prepareAll(files, source, database);
    return runAndRollBack(database, (transaction) =>
      importLists(
        { dependencies, source, request, firm, files: prepared, connection: transaction },
        observer,
      ),
    );
  }
  try {
    const run = { dependencies, source, request, firm, files, connection: database };
    const counts = await importLists(run, observer);
    if (counts.created + counts.updated >= largeImport) await analyseImported(database);
    return counts;
  } finally {
    await flushFeed(database);
  }
}

/**
 * Imports a feed that is in memory.
 * @param request.feed the parsed JSON, unchecked
 * @throws FeedError
 */
export async function importFeed(
  dependencies: ImportDependencies,
  { feed, ...request }: ImportRequest & { feed: unknown },
): Promise<Omit<ImportCounts, 'rejected'> & { rejected: RejectedRecord[] }> {
  const rejected: RejectedRecord[] = [];
  const counts = await importSource(dependencies, openParsedFeed(feed), request, {
    onRejected: (record) => rejected.push(record),
  });
  return { ...counts, rejected };
}

/** The number of written records after which the planner’s statistics may be outdated. */
const largeImport = 1_000;

/** One import in progress. */
interface FeedImport {
  dependencies: ImportDependencies;
  source: FeedSource;
  request: ImportRequest;
  firm: Firm | undefined;
  files: ImportedFiles;
  connection: Connection;
}

async function importLists(run: FeedImport, observer: ImportObserver): Promise<ImportCounts> {
  const { source, request, connection } = run;
  const lists = Object.keys(feedRecords) as FeedList[];
  const total = lists.reduce((sum, list) => sum + source.counts[list], 0);
  const claim = { as: request.as, firm: run.firm };
  const { contents } = await checkClaim(connection, claim);
  const isAudited = !request.dryRun && request.actor.kind !== 'feed_key';
  if (isAudited) await auditImport(run, 'feed.import_started', { records: total });
  const target = createTarget(run, claim);
  if (contents === request.as || total === 0) await target.inTransaction((_transaction, take) => take());
  const counts: ImportCounts = { created: 0, updated: 0, unchanged: 0, rejected: 0 };
  let done = 0;
  for (const list of lists) {
    for await (const outcomes of importList(target, source, list)) {
      for (const outcome of outcomes) {
        if ('rejected' in outcome) observer.onRejected(outcome.rejected);
        counts['rejected' in outcome ? 'rejected' : outcome.result] += 1;
      }
      done += outcomes.length;
      observer.onProgress?.(done, total);
    }
  }
  if (isAudited) await auditImport(run, 'feed.import_finished', { ...counts });
  return counts;
}

/** Records the start and the end of an import, because each batch is a separate transaction. */
const auditImport = (
  { connection, dependencies, request }: FeedImport,
  action: 'feed.import_started' | 'feed.import_finished',
  after: AuditValues,
) =>
  recordAudit(connection, {
    occurredAt: dependencies.clock(),
    actor: request.actor,
    action,
    subject: { kind: 'installation', id: null },
    address: request.address ?? null,
    after,
  });

/** A record that refers to one of the same list that may come later in the feed. */
interface Postponed {
  record: unknown;
  place: string;
  rejected: Outcome;
}

/** The maximum number of records in memory that wait for a later one. */
const maxPostponed = 10_000;

/** Imports a list. @returns the outcomes of its records, batch by batch */
async function* importList(
  target: BatchTarget,
  source: FeedSource,
  list: FeedList,
): AsyncGenerator<Outcome[]> {
  const seen = createReferenceSet(source.counts[list]);
  const order = isOrdered(list) ? source.orders[list] : null;
  let postponed: Postponed[] = [];
  let first = 0;
  for await (const records of readAhead(source.readBatches(list))) {
    const placeOf = (index: number) => `/${list}/${first + index}`;
    const outcomes = await applyBatch(target, { list, records, placeOf, seen, order });
    yield outcomes.filter((rejected, index) => {
      if (!isPremature(rejected, placeOf(index)) || postponed.length === maxPostponed) return true;
      postponed.push({ record: records[index], place: placeOf(index), rejected });
      return false;
    });
    first += records.length;
  }
  let tried = Number.POSITIVE_INFINITY;
  while (postponed.length < tried) {
    tried = postponed.length;
    const { settled, waiting } = await applyPostponed(target, list, postponed);
    yield settled;
    postponed = waiting;
  }
  yield postponed.map(({ rejected }) => rejected);
}

/** Reads the next batch while the current one is applied. */
async function* readAhead(batches: AsyncIterable<unknown[]>): AsyncGenerator<unknown[]> {
  const iterator = batches[Symbol.asyncIterator]();
  let next = iterator.next();
  for (;;) {
    const { value, done } = await next;
    if (done) return;
    next = iterator.next();
    // The failure surfaces when the batch is needed, and not at all if the import fails before.
    next.catch(() => {});
    yield value;
  }
}

/** Whether a document was rejected because it supersedes one that is not imported yet. */
const isPremature = (outcome: Outcome, place: string) =>
  'rejected' in outcome && outcome.rejected.place === `${place}/supersedes`;

async function applyPostponed(target: BatchTarget, list: FeedList, postponed: readonly Postponed[]) {
  const settled: Outcome[] = [];
  const waiting: Postponed[] = [];
  for (let start = 0; start < postponed.length; start += batchSizes[list]) {
    const part = postponed.slice(start, start + batchSizes[list]);
    const placeOf = (index: number) => part[index]?.place ?? '';
    const records = part.map(({ record }) => record);
    const seen = createReferenceSet(part.length);
    const outcomes = await applyBatch(target, { list, records, placeOf, seen, order: null });
    for (const [index, outcome] of outcomes.entries()) {
      const { record, place } = part[index] as Postponed;
      if (isPremature(outcome, place)) waiting.push({ record, place, rejected: outcome });
      else settled.push(outcome);
    }
  }
  return { settled, waiting };
}

function createTarget(run: FeedImport, claim: InstallationClaim): BatchTarget {
  const { dependencies, request, connection } = run;
  let isClaimed = false;
  return {
    dependencies,
    connection,
    isDryRun: request.dryRun === true,
    files: run.files,
    inTransaction: async (work) => {
      let claims = false;
      const attempt = async (transaction: Transaction) => {
        claims = false;
        return work(transaction, async () => {
          if (!isClaimed) await claimInstallation(transaction, claim, dependencies.clock());
          claims = true;
        });
      };
      // A dry run does not lock the feed, so that other imports need not wait for it.
      const result = request.dryRun
        ? await connection.transaction(attempt)
        : await runTransaction(dependencies.database, async (transaction) => {
            await lockImports(transaction);
            if (request.mayWrite && !(await request.mayWrite(transaction))) throw new FeedNotPermitted();
            return attempt(transaction);
          });
      isClaimed ||= claims;
      return result;
    },
    isExpected: (list, reference, stored) => {
      const version = request.expected?.[list]?.get(reference);
      return version === undefined || version === (stored?.rowVersion ?? null);
    },
    onWritten: async (transaction, list, references) => request.onWritten?.(transaction, list, references),
    auditChanges: async (transaction, list, changes) => {
      if (request.actor.kind !== 'feed_key') return;
      const sent = {
        actor: request.actor,
        action: 'feed.record_sent',
        address: request.address ?? null,
      } as const;
      await recordAudits(
        transaction,
        changes.map(({ record: { reference }, isNew }) => ({
          ...sent,
          occurredAt: dependencies.clock(),
          subject: { kind: recordDefinitions[list].auditedAs, id: reference },
          after: { result: request.withdraws ? 'withdrawn' : isNew ? 'created' : 'updated' },
        })),
      );
    },
  };
}

/**
 * Prepares the files of all documents before the transaction of a dry run, because a check can exceed the idle
 * timeout of transactions. None of them is stored.
 */
async function prepareAll(
  files: ImportedFiles,
  source: FeedSource,
  database: Database,
): Promise<ImportedFiles> {
  const all = new Map<string, PreparedFile | RecordRejected>();
  for await (const records of source.readBatches('documents')) {
    const documents = records.filter(
      (record): record is FeedRecord<'documents'> => findProblem(feedRecords.documents, record, '') === null,
    );
    const references = documents.map(({ reference }) => reference);
    const known = await findKnown(database, 'documents', references);
    const prepared = await prepareFiles(files, {
      sent: documents,
      documents: await withDeskChoices(database, documents),
      known,
    });
    for (const [reference, file] of prepared) {
      // A later record with the same reference is rejected.
      if (!all.has(reference)) all.set(reference, file);
    }
  }
  return { prepare: async () => all, whileReserved: (_files, work) => work(), store: async () => {} };
}

/** Runs work in a transaction, rolls it back and returns the work's result. */
async function runAndRollBack<Result>(
  database: Database,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  let done: { result: Result } | undefined;
  try {
    return await database.transaction(async (transaction) => {
      done = { result: await work(transaction) };
      return transaction.rollback();
    });
  } catch (error) {
    if (done && error instanceof TransactionRollbackError) return done.result;
    throw error;
  }
}
