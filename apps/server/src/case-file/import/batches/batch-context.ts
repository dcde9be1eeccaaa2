import type { FeedList, FeedRecord } from '@keyturn/contract';
import type { Clock } from '../../../platform/clock.ts';
import type { Connection, Transaction } from '../../../platform/database.ts';
import type { StoredRecord } from '../../records/read-records.ts';
import type { DocumentFiles, PreparedFile } from '../documents/prepare-documents.ts';
import type { ScanDependencies } from '../documents/reject-malware.ts';
import type { Known, LastSent } from '../feed-store.ts';
import type { FeedFiles, FindSigningFault, ReleaseSearch } from '../ports.ts';
import type { RecordProblem } from '../read-feed.ts';
import type { ReferenceSet, SentOrder } from '../sent-order.ts';

export interface ImportDependencies extends ScanDependencies {
  files: FeedFiles;
  hashPassword(password: string): Promise<string>;
  /** @returns the problems of a new password; empty when it is acceptable */
  checkPassword(password: string): string[];
  findSigningFault: FindSigningFault;
  releaseSearch: ReleaseSearch;
}

/** Stored records that a batch refers to, and those that it has planned so far, by list and reference. */
export type KnownByReference = Record<FeedList, Map<string, Known>>;

/** The hashes of a record as it was sent. */
export interface SentHashes {
  /** Does not depend on the order of the fields. */
  current: Buffer;
  /** Computes the hash that version 0.1 stored, which depends on the order of the fields. */
  former(): Buffer;
}

/** A valid record that is new or has changed. */
export interface Change<List extends FeedList> {
  /** Index of the record in its batch. */
  index: number;
  record: FeedRecord<List>;
  id: string;
  isNew: boolean;
  /** Position within its case or matter, from 0; always 0 in a list without an order. */
  position: number;
  /** Hashes that identify the content, the position and the file. */
  hashes: SentHashes;
  /** The version that the feed last sent. */
  sent: LastSent;
  /** The file of a document. */
  file: PreparedFile | null;
  /** Whether a stored client has no password. */
  hasNoPassword: boolean;
  /** The hash of a client's first password. */
  passwordHash: string | null;
}

/** The source of records: the firm’s system sends a feed, and staff edit stored records at the desk. */
export type RecordSource = 'feed' | 'desk';

/** The path of stored matters: the one that they have, or the current one of their type. */
export type PathChoice = 'own' | 'current';

/** The dependencies of a writer, which writes the changes of one list together. */
export interface BatchContext<List extends FeedList> {
  clock: Clock;
  source: RecordSource;
  paths: PathChoice;
  transaction: Transaction;
  releaseSearch: ReleaseSearch;
  known: KnownByReference;
  changes: readonly Change<List>[];
}

/** Writes the changes of a batch, after everything they depend on was read and locked. */
export interface BatchWriter<List extends FeedList> {
  /** Plans the rows to write for a change. @throws RecordRejected */
  plan(change: Change<List>): Known;
  /** Writes everything that was planned. */
  write(): Promise<void>;
}

/** Unchecked records of one list, with facts about their feed. */
export interface Batch {
  list: FeedList;
  records: readonly unknown[];
  /** The place of each record in the feed, for example `/searches/3`. */
  placeOf(index: number): string;
  /** The references of the list that the feed has sent before. */
  seen: ReferenceSet;
  /** The order of all records of the feed, for a list with an order. */
  order: SentOrder | null;
}

export type Outcome =
  | { result: 'created' | 'updated' | 'unchanged' }
  | { rejected: RecordProblem & { reference: string | null } };

/** Records the outcome of the record at an index. The place of a problem is relative to the record. */
export type Settle = (index: number, outcome: Outcome | RecordProblem) => void;

/** The database access of a batch. */
export interface BatchTarget {
  source: RecordSource;
  paths: PathChoice;
  dependencies: ImportDependencies;
  connection: Connection;
  files: DocumentFiles;
  /**
   * Runs work in a transaction during which no other import writes.
   * @param work calls `claim` before it writes anything
   */
  inTransaction<Result>(
    work: (transaction: Transaction, claim: () => Promise<void>) => Promise<Result>,
  ): Promise<Result>;
  /** Whether the stored version of a record is the one that its sender expects. */
  isExpected(list: FeedList, reference: string, stored: Known | undefined): boolean;
  /** Called in the transaction that writes records of a list, including those that say what is stored. */
  onWritten?(transaction: Transaction, list: FeedList, references: readonly string[]): Promise<void>;
  /**
   * Audits changes in the transaction that writes them.
   * @param stored the records before the change, by reference
   */
  auditChanges(
    transaction: Transaction,
    list: FeedList,
    changes: readonly Change<FeedList>[],
    stored: ReadonlyMap<string, StoredRecord>,
  ): Promise<void>;
}
