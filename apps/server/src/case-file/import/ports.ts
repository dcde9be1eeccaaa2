import type { CaseFeed, Regulation } from '@keyturn/contract';
import type { Transaction } from '../../platform/database.ts';
import type { FileStore } from '../../platform/stored-file.ts';
import type { FeedScope } from '../../schema/tables/feed-key-tables.ts';

/** A system of the firm that calls the feed over HTTP. */
export interface FeedCaller {
  /** The id of its key. */
  id: string;
  name: string;
  scopes: readonly FeedScope[];
}

/** Releases a search from its refunded payment, so that another payment can pay for it. */
export type ReleaseSearch = (
  transaction: Transaction,
  released: { paymentId: string; at: Date },
) => Promise<void>;

/** The store that documents are imported into. */
export type FeedFiles = Pick<FileStore, 'put' | 'read'>;

/** Finds what is wrong with the files of documents. */
export interface DocumentFaults {
  /** @returns why a document cannot be signed in Keyturn; null if it can */
  findSigningFault(document: Buffer): Promise<string | null>;
  /** @returns why a document cannot be shared, because readers would show it in different ways; null if it can */
  findViewingFault(document: Buffer): Promise<string | null>;
}

/**
 * Writes the documents of the demonstration firm into a folder.
 * @param loadedOn the day that every date is relative to
 * @returns its case feed, relative to the folder, and what it shows as a regulated firm
 */
export type MakeDemonstration = (
  folder: string,
  loadedOn: string,
) => Promise<{ feed: CaseFeed; regulation: Regulation }>;
