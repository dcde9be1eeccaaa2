import type { FeedList } from '@keyturn/contract';
import type { Connection, Transaction } from '../../../platform/database.ts';
import type { Known } from '../../records/find-known.ts';
import type { RecordProblem } from '../../records/find-problem.ts';
import type { Change } from '../../records/record-writer.ts';
import type { ImportedFiles } from '../documents/prepare-documents.ts';
import type { ScanDependencies } from '../documents/reject-malware.ts';
import type { DocumentFaults, FeedFiles, ReleaseSearch } from '../ports.ts';
import type { ReferenceSet, SentOrder } from '../sent-order.ts';

export interface ImportDependencies extends ScanDependencies, DocumentFaults {
  files: FeedFiles;
  hashPassword(password: string): Promise<string>;
  /**
   * @param personal what others know about the client
   * @returns the problems of a new password; empty when it is acceptable
   */
  checkPassword(password: string, personal: readonly string[]): Promise<string[]>;
  releaseSearch: ReleaseSearch;
}

/** The hashes of a record as it was sent. */
export interface SentHashes {
  /** Does not depend on the order of the fields. */
  current: Buffer;
  /** Computes the hash that version 0.1 stored, which depends on the order of the fields. */
  former(): Buffer;
}

/** A valid record of a feed that is new or has changed. */
export interface SentChange<List extends FeedList = FeedList> extends Change<List> {
  /** Hashes that identify the content, the position and the file. */
  hashes: SentHashes;
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
  dependencies: ImportDependencies;
  connection: Connection;
  /** Whether nothing is kept, so that no member has to wait. */
  isDryRun: boolean;
  files: ImportedFiles;
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
   */
  auditChanges(transaction: Transaction, list: FeedList, changes: readonly SentChange[]): Promise<void>;
}
