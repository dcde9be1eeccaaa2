import { createHash } from 'node:crypto';
import { type FeedList, type FeedRecord, type Firm, feedRecords } from '@keyturn/contract';
import type { Connection, Database, Transaction } from '../../platform/database.ts';
import { newId } from '../../platform/ids.ts';
import { assignPositions, type OrderedList, parentOfList } from './assign-positions.ts';
import { checkClaim, claimInstallation, readFirm } from './claim-installation.ts';
import { findKnown, findStoredPositions, flushFeed, type Known, lockFeed } from './feed-store.ts';
import { findPrepared, type PreparedFiles, prepareDocuments } from './prepare-documents.ts';
import { RecordRejected } from './read-document.ts';
import { type CheckedFeed, checkFrame, findProblem, type RecordProblem } from './read-feed.ts';
import type { ImportDependencies, KnownByReference, RecordContext } from './record-context.ts';
import { referenceOf, referencesTo } from './record-references.ts';
import { writers } from './write-records.ts';

export interface ImportRequest {
  /** The parsed JSON, unchecked. */
  feed: unknown;
  /** The folder that document files are relative to. */
  folder: string;
  /** What the installation holds afterwards: real cases and the demonstration never mix. */
  as: 'real' | 'demonstration';
  /** Reports what the import would do and writes nothing. */
  dryRun?: boolean;
}

export interface ImportReport {
  created: number;
  updated: number;
  unchanged: number;
  rejected: (RecordProblem & { reference: string | null })[];
}

type ReadFeed = CheckedFeed & { firm: Firm | undefined };

/** One import in progress. */
interface FeedImport {
  dependencies: ImportDependencies;
  request: ImportRequest;
  feed: ReadFeed;
  connection: Connection;
  known: KnownByReference;
  /** The files of the documents. */
  files: PreparedFiles;
  /** Whether the installation is known to hold what this feed brings. */
  isClaimed: boolean;
}

/**
 * Imports a case feed. New records are created, changed ones updated, unchanged ones left alone. An invalid record is
 * rejected with its position and reason while the others are imported. Each record is written completely or not at all.
 * A dry run does the same in one transaction and rolls it back.
 * @throws FeedError when the feed as a whole cannot be imported
 */
export async function importFeed(
  dependencies: ImportDependencies,
  request: ImportRequest,
): Promise<ImportReport> {
  const { database } = dependencies;
  const frame = checkFrame(request.feed);
  const feed = { ...frame, firm: readFirm(frame.firm) };
  const prepared = await prepareFiles(dependencies, request, feed);
  if (request.dryRun) {
    const files = {
      ...dependencies.files,
      put: async (content: Buffer) => sha256Of(content).toString('hex'),
    };
    return runAndRollBack(database, (transaction) =>
      importLists({ ...dependencies, files }, request, feed, prepared, transaction),
    );
  }
  try {
    return await importLists(dependencies, request, feed, prepared, database);
  } finally {
    await flushFeed(database);
  }
}

/** Prepares the files of documents; those whose record is unchanged were checked by an earlier import. */
async function prepareFiles(
  dependencies: ImportDependencies,
  { folder }: ImportRequest,
  { lists: { documents } }: CheckedFeed,
): Promise<PreparedFiles> {
  const references = documents.flatMap((record) => referenceOf(record) ?? []);
  const known = await findKnown(dependencies.database, 'documents', references);
  return prepareDocuments(
    dependencies.findSigningFault,
    documents,
    folder,
    (record, sha256) =>
      known.get(record.reference)?.hash?.equals(sha256Of(JSON.stringify([record, sha256]))) === true,
  );
}

async function importLists(
  dependencies: ImportDependencies,
  request: ImportRequest,
  feed: ReadFeed,
  files: PreparedFiles,
  connection: Connection,
): Promise<ImportReport> {
  const claim = { as: request.as, firm: feed.firm };
  const { contents } = await checkClaim(connection, claim);
  const run: FeedImport = {
    dependencies,
    request,
    feed,
    connection,
    files,
    known: {} as KnownByReference,
    isClaimed: contents === request.as,
  };
  const isEmpty = Object.values(feed.lists).every((records) => records.length === 0);
  if (run.isClaimed || isEmpty) {
    await inTransaction(run, (transaction) => claimInstallation(transaction, claim));
    run.isClaimed = true;
  }
  const lists = Object.keys(feedRecords) as FeedList[];
  for (const list of lists) {
    run.known[list] = await findKnown(connection, list, referencesTo(list, feed.lists));
  }
  const report: ImportReport = { created: 0, updated: 0, unchanged: 0, rejected: [] };
  for (const list of lists) await importList(run, list, report);
  return report;
}

async function importList(run: FeedImport, list: FeedList, report: ImportReport): Promise<void> {
  const seen = new Set<string>();
  const positions = await positionsIn(run, list);
  for (const [index, record] of run.feed.lists[list].entries()) {
    const place = `/${list}/${index}`;
    const reference = referenceOf(record);
    const isDuplicate = reference !== null && seen.has(reference);
    if (reference !== null) seen.add(reference);
    const problem =
      findProblem(feedRecords[list], record, place) ??
      (isDuplicate ? { place: `${place}/reference`, reason: 'duplicate reference' } : null);
    if (problem) {
      report.rejected.push({ ...problem, reference });
      continue;
    }
    try {
      const result = await importRecord(run, list, record as FeedRecord<FeedList>, positions);
      report[result] += 1;
    } catch (error) {
      report.rejected.push({ ...problemFrom(error, place), reference });
    }
  }
}

async function positionsIn(
  { feed, known, connection }: FeedImport,
  list: FeedList,
): Promise<Map<string, number>> {
  if (!isOrdered(list)) return new Map();
  const { list: parentList, field } = parentOfList[list];
  const sent = feed.lists[list].flatMap((record) => {
    const reference = referenceOf(record);
    const parent = (record as Record<string, unknown> | null)?.[field];
    const id = typeof parent === 'string' ? known[parentList].get(parent)?.id : undefined;
    return reference === null || id === undefined ? [] : [{ reference, parent: id }];
  });
  const parents = sent.map(({ parent }) => parent);
  return assignPositions(sent, await findStoredPositions(connection, list, parents));
}

async function importRecord(
  run: FeedImport,
  list: FeedList,
  record: FeedRecord<FeedList>,
  positions: Map<string, number>,
): Promise<'created' | 'updated' | 'unchanged'> {
  const { dependencies, request, feed, known } = run;
  const { reference } = record;
  const writer = writers[list] as (record: FeedRecord<FeedList>, context: RecordContext) => Promise<Known>;
  const position = positions.get(reference) ?? 0;
  const content = contentOf(list, record, run.files);
  const hash = sha256Of(JSON.stringify(isOrdered(list) ? [position, content] : content));
  const hasPassword = 'password' in record && record.password !== undefined;
  const isUnchanged = (stored: Known | undefined) =>
    stored?.hash?.equals(hash) === true && !(hasPassword && stored.hasNoPassword);
  if (isUnchanged(known[list].get(reference))) return 'unchanged';

  const written = await inTransaction(run, async (transaction) => {
    // Another import may have written the record since it was looked up.
    const stored = (await findKnown(transaction, list, [reference])).get(reference);
    if (stored) known[list].set(reference, stored);
    if (isUnchanged(stored)) return null;
    if (!run.isClaimed) await claimInstallation(transaction, { as: request.as, firm: feed.firm });
    const isNew = stored === undefined;
    const id = stored?.id ?? newId();
    const { folder } = request;
    const context = { dependencies, transaction, known, folder, files: run.files, position, hash, id, isNew };
    return { isNew, record: await writer(record, context) };
  });
  if (!written) return 'unchanged';
  run.isClaimed = true;
  known[list].set(reference, written.record);
  return written.isNew ? 'created' : 'updated';
}

/** A dry run takes no lock on the feed, so that other imports do not wait for it. */
function inTransaction<Result>(
  { connection, request }: FeedImport,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return connection.transaction(async (transaction) => {
    if (!request.dryRun) await lockFeed(transaction);
    return work(transaction);
  });
}

/** Runs work in a transaction, rolls it back and returns the work's result. */
async function runAndRollBack<Result>(
  database: Database,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  class RolledBack extends Error {
    readonly result: Result;
    constructor(result: Result) {
      super('rolled back');
      this.result = result;
    }
  }
  return database
    .transaction(async (transaction): Promise<Result> => {
      throw new RolledBack(await work(transaction));
    })
    .catch((error: unknown) => {
      if (error instanceof RolledBack) return error.result;
      throw error;
    });
}

const isOrdered = (list: FeedList): list is OrderedList => Object.hasOwn(parentOfList, list);

const sha256Of = (content: string | Buffer) => createHash('sha256').update(content).digest();

/** The part of a record that decides whether it has changed: with the file's content, without the password. */
function contentOf(list: FeedList, record: FeedRecord<FeedList>, files: PreparedFiles): unknown {
  if (list === 'clients') {
    const { password: _password, ...rest } = record as FeedRecord<'clients'>;
    return rest;
  }
  if (list === 'documents') {
    return [record, findPrepared(files, record as FeedRecord<'documents'>).sha256];
  }
  return record;
}

/** @throws the error itself when the record did not cause it */
function problemFrom(error: unknown, place: string): RecordProblem {
  if (error instanceof RecordRejected) return { place: place + error.field, reason: error.message };
  const reason = databaseReason(error);
  if (reason === undefined) throw error;
  return { place, reason };
}

/** The reason when a database constraint rejects a record: some can only be checked there. */
function databaseReason(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code, constraint } = cause as { code?: string; constraint?: string };
    if (code === '23505' && constraint === 'clients_email')
      return 'has an email address that another client has';
    if (code === '23505' || code === '23514' || code === '23503' || code === '22003' || code === '22008') {
      return `violates a constraint (${constraint ?? cause.message})`;
    }
  }
  return undefined;
}
