import type { CaseFeed } from '@keyturn/contract';
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

/** @returns why no signature page can be added to a document; null if one can */
export type FindSigningFault = (document: Buffer) => Promise<string | null>;

/**
 * Writes the documents of the demonstration firm into a folder.
 * @param loadedOn the day that every date is relative to
 * @returns its case feed, relative to the folder
 */
export type MakeDemonstration = (folder: string, loadedOn: string) => Promise<CaseFeed>;
