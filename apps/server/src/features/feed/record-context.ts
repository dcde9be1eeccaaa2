import type { FeedList } from '@keyturn/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import type { Known } from './feed-store.ts';
import type { FeedFiles, FindSigningFault } from './ports.ts';
import type { PreparedFiles } from './prepare-documents.ts';

export interface ImportDependencies {
  database: Database;
  files: FeedFiles;
  clock: Clock;
  hashPassword(password: string): Promise<string>;
  /** @returns the problems of a new password; empty when it is acceptable */
  checkPassword(password: string): string[];
  findSigningFault: FindSigningFault;
}

/** Stored records that the feed refers to, by list and reference. */
export type KnownByReference = Record<FeedList, Map<string, Known>>;

/** What a writer needs to write one record. */
export interface RecordContext {
  dependencies: ImportDependencies;
  transaction: Transaction;
  known: KnownByReference;
  /** The folder that document files are relative to. */
  folder: string;
  files: PreparedFiles;
  id: string;
  isNew: boolean;
  /** Position within its case or matter, from 0; always 0 in a list without an order. */
  position: number;
  hash: Buffer;
}
