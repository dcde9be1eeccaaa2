import { createHash } from 'node:crypto';
import { CaseFeed, type FeedList, type FeedRecord, Firm, feedRecords } from '@keyturn/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Connection, Database, Transaction } from '../../platform/database.ts';
import { newId } from '../../platform/ids.ts';
import {
  findKnown,
  findPlaces,
  type Known,
  lockFeed,
  readInstallation,
  settleFeed,
  writeInstallation,
} from './feed-store.ts';
import { type PlacedList, placedIn, placeRecords } from './place-records.ts';
import type { FileStore, FindSigningFault } from './ports.ts';
import { RecordRefused, readFeedDocument } from './read-document.ts';
import { type CheckedFeed, checkFrame, FeedFault, findFault, type RecordFault } from './read-feed.ts';
import { writers } from './write-records.ts';

export interface ImportDependencies {
  database: Database;
  files: FileStore;
  clock: Clock;
  hashPassword(password: string): Promise<string>;
  /** What is wrong with a new password; nothing when it will do. */
  checkPassword(password: string): string[];
  findSigningFault: FindSigningFault;
}

export interface ImportRequest {
  /** Whatever JSON.parse gave. */
  feed: unknown;
  /** Where the documents of the feed are. */
  folder: string;
  /** What the installation holds by this: the two never mix. */
  as: 'real' | 'demonstration';
  /** Checks and writes nothing. */
  dryRun?: boolean;
}

export interface ImportReport {
  created: number;
  updated: number;
  unchanged: number;
  refused: (RecordFault & { reference: string | null })[];
}

/** What a record may stand on, by reference. */
export type KnownByReference = Record<FeedList, Map<string, Known>>;

export interface RecordContext {
  dependencies: ImportDependencies;
  transaction: Transaction;
  known: KnownByReference;
  folder: string;
  id: string;
  isNew: boolean;
  /** Among those of its case or matter; 0 in a list without an order. */
  position: number;
  hash: Buffer;
}

/**
 * Takes a case feed: what is there is brought up to date, what is unchanged is not touched, and a record that is not
 * right is refused with its place and reason while the others go on. Every record is written whole or not at all.
 * A dry run does all of it in one transaction, and takes that back.
 * @throws FeedFault when the feed cannot be taken at all
 */
export async function importFeed(
  dependencies: ImportDependencies,
  request: ImportRequest,
): Promise<ImportReport> {
  const { database } = dependencies;
  const frame = checkFrame(request.feed);
  checkFirm(frame.firm);
  if (request.dryRun) {
    const files = {
      ...dependencies.files,
      put: async (content: Buffer) => digestOf(content).toString('hex'),
    };
    return tryOut(database, (transaction) =>
      takeFeed({ ...dependencies, files }, request, frame, transaction),
    );
  }
  try {
    return await takeFeed(dependencies, request, frame, database);
  } finally {
    await settleFeed(database);
  }
}

async function takeFeed(
  dependencies: ImportDependencies,
  request: ImportRequest,
  { firm, lists }: CheckedFeed,
  connection: Connection,
): Promise<ImportReport> {
  const report: ImportReport = { created: 0, updated: 0, unchanged: 0, refused: [] };
  let isClaimed = (await checkClaim(connection, request, firm)).contents === request.as;
  if (isClaimed || Object.values(lists).every((records) => records.length === 0)) {
    await inTransaction((transaction) => claimInstallation(transaction, request, firm));
    isClaimed = true;
  }
  const known = {} as KnownByReference;
  for (const list of Object.keys(feedRecords) as FeedList[]) {
    known[list] = await findKnown(connection, list, referencesTo(list, lists));
  }
  for (const list of Object.keys(feedRecords) as FeedList[]) {
    const seen = new Set<string>();
    const places = await placesIn(list);
    for (const [index, record] of lists[list].entries()) {
      const place = `/${list}/${index}`;
      const reference = referenceOf(record);
      const fault =
        findFault(feedRecords[list], record, place) ??
        (reference !== null && seen.has(reference)
          ? { place: `${place}/reference`, reason: 'stands twice in this feed' }
          : null);
      if (reference !== null) seen.add(reference);
      try {
        if (fault) throw fault;
        report[await take(list, record as FeedRecord<FeedList>, places)] += 1;
      } catch (error) {
        report.refused.push({ ...asFault(error, place), reference });
      }
    }
  }
  return report;

  async function placesIn(list: FeedList): Promise<Map<string, number>> {
    if (!isPlaced(list)) return new Map();
    const within = placedIn[list];
    const sent = lists[list].flatMap((record) => {
      const reference = referenceOf(record);
      const parent = (record as Record<string, unknown> | null)?.[within.field];
      const id = typeof parent === 'string' ? known[within.list].get(parent)?.id : undefined;
      return reference === null || id === undefined ? [] : [{ reference, parent: id }];
    });
    const parents = sent.map(({ parent }) => parent);
    return placeRecords(sent, await findPlaces(connection, list, parents));
  }

  async function take(
    list: FeedList,
    record: FeedRecord<FeedList>,
    places: Map<string, number>,
  ): Promise<'created' | 'updated' | 'unchanged'> {
    const { reference } = record;
    const writer = writers[list] as (record: FeedRecord<FeedList>, context: RecordContext) => Promise<Known>;
    const position = places.get(reference) ?? 0;
    const content = await contentOf(list, record, request.folder);
    const hash = digestOf(JSON.stringify(isPlaced(list) ? [position, content] : content));
    const bringsPassword = 'password' in record && record.password !== undefined;
    const isTaken = (before: Known | undefined) =>
      before?.hash?.equals(hash) === true && !(bringsPassword && before.lacksPassword);
    if (isTaken(known[list].get(reference))) return 'unchanged';
    const written = await inTransaction(async (transaction) => {
      // Another import may have been here since the look above.
      const now = (await findKnown(transaction, list, [reference])).get(reference);
      if (now) known[list].set(reference, now);
      if (isTaken(now)) return null;
      if (!isClaimed) await claimInstallation(transaction, request, firm);
      const context = { dependencies, transaction, known, folder: request.folder, position, hash };
      const isNew = now === undefined;
      return { isNew, record: await writer(record, { ...context, id: now?.id ?? newId(), isNew }) };
    });
    if (!written) return 'unchanged';
    isClaimed = true;
    known[list].set(reference, written.record);
    return written.isNew ? 'created' : 'updated';
  }

  /** A dry run holds no lock on the feed: whoever imports meanwhile need not wait for it. */
  function inTransaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return connection.transaction(async (transaction) => {
      if (!request.dryRun) await lockFeed(transaction);
      return work(transaction);
    });
  }
}

/** Does some work in a transaction, and takes it back. */
async function tryOut<Result>(
  database: Database,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  class TakenBack extends Error {
    readonly result: Result;
    constructor(result: Result) {
      super('taken back');
      this.result = result;
    }
  }
  return database
    .transaction(async (transaction): Promise<Result> => {
      throw new TakenBack(await work(transaction));
    })
    .catch((error: unknown) => {
      if (error instanceof TakenBack) return error.result;
      throw error;
    });
}

function checkFirm(firm: unknown) {
  if (firm === undefined) return;
  const fault = findFault(CaseFeed.properties.firm ?? Firm, firm, '/firm');
  if (fault) throw new FeedFault(`${fault.place} ${fault.reason}.`);
}

/** @returns what the installation holds: nothing yet, or what this feed brings */
async function checkClaim(connection: Connection, request: ImportRequest, firm: unknown) {
  const installation = await readInstallation(connection);
  if (installation.contents !== 'nothing' && installation.contents !== request.as) {
    throw new FeedFault(
      installation.contents === 'demonstration'
        ? 'This installation holds the demonstration firm: bring real cases into one of their own, with another KEYTURN_DATA_DIR and KEYTURN_DEMONSTRATION=off.'
        : 'This installation holds real cases: the demonstration firm does not go there.',
    );
  }
  if (firm === undefined && installation.firm === null)
    throw new FeedFault('The first feed must say who the "firm" is.');
  return installation;
}

/** With the first record that is taken: a feed of which nothing can be taken claims nothing. */
async function claimInstallation(transaction: Transaction, request: ImportRequest, firm: unknown) {
  const { contents, firm: present } = await checkClaim(transaction, request, firm);
  const isSame = firm === undefined || JSON.stringify(firm) === JSON.stringify(present);
  if (contents === request.as && isSame) return;
  await writeInstallation(transaction, {
    contents: request.as,
    ...(firm === undefined ? {} : { firm: firm as Firm }),
  });
}

const isPlaced = (list: FeedList): list is PlacedList => Object.hasOwn(placedIn, list);

const digestOf = (content: string | Buffer) => createHash('sha256').update(content).digest();

/** What a record says, for telling whether it has changed: with the file's content, without the password. */
async function contentOf(list: FeedList, record: FeedRecord<FeedList>, folder: string): Promise<unknown> {
  if (list === 'clients') {
    const { password: _password, ...rest } = record as FeedRecord<'clients'>;
    return rest;
  }
  if (list === 'documents') {
    const { content } = await readFeedDocument(folder, (record as FeedRecord<'documents'>).file);
    return [record, digestOf(content).toString('hex')];
  }
  return record;
}

const referencesIn: Partial<Record<FeedList, (record: Record<string, unknown>) => [FeedList, unknown][]>> = {
  cases: (record) =>
    (Array.isArray(record.clients) ? record.clients : []).map((client) => ['clients', client]),
  matters: (record) => [['cases', record.case]],
  documents: (record) => [
    ['matters', record.matter],
    ['documents', record.supersedes],
  ],
  searches: (record) => [
    ['matters', record.matter],
    ['documents', record.result_document],
  ],
  tasks: (record) => [
    ['cases', record.case],
    ['matters', record.matter],
    ['searches', record.search],
    ['documents', record.document],
  ],
  history: (record) => [['cases', record.case]],
};

/** Every reference to records of a list that the feed holds, its own included. */
function referencesTo(list: FeedList, lists: Record<FeedList, unknown[]>): string[] {
  const found: string[] = [];
  for (const [from, records] of Object.entries(lists) as [FeedList, unknown[]][]) {
    for (const record of records) {
      if (typeof record !== 'object' || record === null) continue;
      const fields = record as Record<string, unknown>;
      const named = [
        [from, fields.reference] as [FeedList, unknown],
        ...(referencesIn[from]?.(fields) ?? []),
      ];
      for (const [to, reference] of named) {
        if (to === list && typeof reference === 'string' && isStorable(reference)) found.push(reference);
      }
    }
  }
  return found;
}

const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed();

function referenceOf(record: unknown): string | null {
  const reference = (record as { reference?: unknown } | null)?.reference;
  return typeof reference === 'string' ? reference : null;
}

function asFault(error: unknown, place: string): RecordFault {
  if (error instanceof RecordRefused) return { place: place + error.field, reason: error.message };
  if (error instanceof Error) {
    const reason = databaseReason(error);
    if (reason) return { place, reason };
    throw error;
  }
  return error as RecordFault;
}

/** A constraint that only the database can check is the record's fault, not ours. */
function databaseReason(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code, constraint } = cause as { code?: string; constraint?: string };
    if (code === '23505' && constraint === 'clients_email')
      return 'has an email address that another client has';
    if (code === '23505' || code === '23514' || code === '23503' || code === '22003' || code === '22008') {
      return `does not fit (${constraint ?? cause.message})`;
    }
  }
  return undefined;
}
