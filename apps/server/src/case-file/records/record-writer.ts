import type { FeedList, FeedRecord } from '@keyturn/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Transaction } from '../../platform/database.ts';
import type { PreparedFile } from '../import/documents/prepare-documents.ts';
import type { ReleaseSearch } from '../import/ports.ts';
import type { Known, LastSent } from './find-known.ts';

/** The source of records: the firm’s system sends a feed, and staff edit stored records at the desk. */
export type RecordSource = 'feed' | 'desk';

/** The path of stored matters: the one that they have, or the current one of their type. */
export type PathChoice = 'own' | 'current';

/** Stored records that others refer to, and those that were planned so far, by list and reference. */
export type KnownByReference = Record<FeedList, Map<string, Known>>;

/** A valid record that is new or has changed. */
export interface Change<List extends FeedList> {
  /** Index of the record among those that are stored together. */
  index: number;
  record: FeedRecord<List>;
  id: string;
  isNew: boolean;
  /** Position within its case or matter, from 0; always 0 in a list without an order. */
  position: number;
  /** The version that the feed last sent. */
  sent: LastSent;
  /** The file of a document. */
  file: PreparedFile | null;
  /** Whether a stored client has no password. */
  hasNoPassword: boolean;
  /** The hash of a client's first password. */
  passwordHash: string | null;
}

/** The dependencies of a writer, which writes the changes of one list together. */
export interface WriterContext<List extends FeedList> {
  clock: Clock;
  source: RecordSource;
  paths: PathChoice;
  transaction: Transaction;
  releaseSearch: ReleaseSearch;
  known: KnownByReference;
  changes: readonly Change<List>[];
}

/** Writes changes, after everything they depend on was read and locked. */
export interface RecordWriter<List extends FeedList> {
  /** Plans the rows to write for a change. @throws RecordRejected */
  plan(change: Change<List>): Known;
  /** Writes everything that was planned. */
  write(): Promise<void>;
}
