import { createHash } from 'node:crypto';
import { CaseFeed, type FeedList, type FeedRecord, Firm, feedRecords } from '@keyturn/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { newId } from '../../platform/ids.ts';
import {
  findKnown,
  type Known,
  lockFeed,
  readInstallation,
  settleFeed,
  writeInstallation,
} from './feed-store.ts';
import type { FileStore } from './ports.ts';
import { RecordRefused, readFeedDocument } from './read-document.ts';
import { checkFrame, FeedFault, findFault, type RecordFault } from './read-feed.ts';
import { writers } from './write-records.ts';

export interface ImportDependencies {
  database: Database;
  files: FileStore;
  clock: Clock;
  hashPassword(password: string): Promise<string>;
  /** What is wrong with a new password; nothing when it will do. */
  checkPassword(password: string): string[];
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
  position: number;
  hash: Buffer;
}

/**
 * Takes a case feed: what is there is brought up to date, what is unchanged is not touched, and a record that is not
 * right is refused with its place and reason while the others go on. Every record is written whole or not at all.
 * @throws FeedFault when the feed cannot be taken at all
 */
export async function importFeed(
  dependencies: ImportDependencies,
  request: ImportRequest,
): Promise<ImportReport> {
  const { database } = dependencies;
  const { firm, lists } = checkFrame(request.feed);
  await claimInstallation(dependencies, request, firm);
  const report: ImportReport = { created: 0, updated: 0, unchanged: 0, refused: [] };
  const known = {} as KnownByReference;
  for (const list of Object.keys(feedRecords) as FeedList[]) {
    known[list] = await findKnown(database, list, referencesTo(list, lists));
  }
  for (const list of Object.keys(feedRecords) as FeedList[]) {
    const seen = new Set<string>();
    for (const [position, record] of lists[list].entries()) {
      const place = `/${list}/${position}`;
      const reference = referenceOf(record);
      const fault =
        findFault(feedRecords[list], record, place) ??
        (reference !== null && seen.has(reference)
          ? { place: `${place}/reference`, reason: 'stands twice in this feed' }
          : null);
      if (reference !== null) seen.add(reference);
      try {
        if (fault) throw fault;
        report[await take(list, record as FeedRecord<FeedList>, position)] += 1;
      } catch (error) {
        report.refused.push({ ...asFault(error, place), reference });
      }
    }
  }
  if (!request.dryRun) await settleFeed(database);
  return report;

  async function take(
    list: FeedList,
    record: FeedRecord<FeedList>,
    position: number,
  ): Promise<'created' | 'updated' | 'unchanged'> {
    const before = known[list].get(record.reference);
    const writer = writers[list] as (record: FeedRecord<FeedList>, context: RecordContext) => Promise<Known>;
    const content = await contentOf(list, record, request.folder);
    const hash = createHash('sha256')
      .update(JSON.stringify([position, content]))
      .digest();
    if (before?.hash?.equals(hash)) return 'unchanged';
    if (request.dryRun) {
      known[list].set(record.reference, before ?? { id: newId(), hash, parent: '' });
      return before ? 'updated' : 'created';
    }
    return database.transaction(async (transaction) => {
      await lockFeed(transaction);
      // Another import may have been here since the look above.
      const now = (await findKnown(transaction, list, [record.reference])).get(record.reference);
      if (now?.hash?.equals(hash)) {
        known[list].set(record.reference, now);
        return 'unchanged';
      }
      const context = { dependencies, transaction, known, folder: request.folder, position, hash };
      const written = await writer(record, { ...context, id: now?.id ?? newId(), isNew: now === undefined });
      known[list].set(record.reference, written);
      return now ? 'updated' : 'created';
    });
  }
}

async function claimInstallation({ database }: ImportDependencies, request: ImportRequest, firm: unknown) {
  if (firm !== undefined) {
    const fault = findFault(CaseFeed.properties.firm ?? Firm, firm, '/firm');
    if (fault) throw new FeedFault(`${fault.place} ${fault.reason}.`);
  }
  await database.transaction(async (transaction) => {
    await lockFeed(transaction);
    const { holds, firm: present } = await readInstallation(transaction);
    if (holds !== 'nothing' && holds !== request.as) {
      throw new FeedFault(
        holds === 'demonstration'
          ? 'This installation holds the demonstration firm: bring real cases into one of their own, with another KEYTURN_DATA_DIR and KEYTURN_DEMONSTRATION=off.'
          : 'This installation holds real cases: the demonstration firm does not go there.',
      );
    }
    if (firm === undefined && present === null)
      throw new FeedFault('The first feed must say who the "firm" is.');
    if (request.dryRun) return;
    const isSame = firm === undefined || JSON.stringify(firm) === JSON.stringify(present);
    if (holds !== request.as || !isSame) {
      await writeInstallation(transaction, {
        holds: request.as,
        ...(firm === undefined ? {} : { firm: firm as Firm }),
      });
    }
  });
}

/** What a record says, for telling whether it has changed: with the file's content, without the password. */
async function contentOf(list: FeedList, record: FeedRecord<FeedList>, folder: string): Promise<unknown> {
  if (list === 'clients') {
    const { password: _password, ...rest } = record as FeedRecord<'clients'>;
    return rest;
  }
  if (list === 'documents') {
    const { content } = await readFeedDocument(folder, (record as FeedRecord<'documents'>).file);
    return [record, createHash('sha256').update(content).digest('hex')];
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
