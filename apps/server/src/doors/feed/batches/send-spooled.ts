import { reasonsInFeed } from '../../../case-file/records/rejected-record.ts';
import type { BatchRejection } from '../../../schema/tables/feed-key-tables.ts';
import { type ImportCounts, importSource } from '../../import/import-feed.ts';
import { faultOf } from '../feed-faults.ts';
import { importRequestOf, type SendDependencies, type Sender } from '../send-records.ts';
import type { SpooledBatch } from './spool-batch.ts';

/** Callbacks that report the import of a spooled batch. */
export interface SpooledObserver {
  onRejected(rejection: BatchRejection): void;
  onProgress?(done: number): void;
  /** @throws FeedError to stop */
  checkRunning?(): void;
}

/** Imports the records of a spooled batch, in transactions of up to a thousand records. @throws FeedError */
export async function importSpooled(
  dependencies: SendDependencies,
  sender: Sender,
  batch: SpooledBatch,
  observer: SpooledObserver,
): Promise<ImportCounts> {
  const request = importRequestOf(dependencies, sender);
  const source = await batch.open();
  const mayWrite: typeof request.mayWrite = async (transaction) => {
    observer.checkRunning?.();
    return (await request.mayWrite?.(transaction)) ?? true;
  };
  try {
    return await importSource(
      dependencies,
      source,
      { ...request, mayWrite },
      {
        onRejected: (rejected) =>
          observer.onRejected({
            line: batch.lineOf(rejected.place),
            reference: rejected.reference,
            field: fieldOf(rejected.place),
            reason: reasonsInFeed(rejected),
          }),
        onProgress: (done) => observer.onProgress?.(done),
      },
    );
  } finally {
    await source.close();
  }
}

/** @returns the field of a rejected record, such as `price.net`; null for the whole record */
const fieldOf = (place: string): string | null => place.split('/').slice(3).join('.') || null;

/** Imports a batch that is small enough for its sender to wait. @throws DomainError */
export async function sendSpooled(dependencies: SendDependencies, sender: Sender, batch: SpooledBatch) {
  const rejected: BatchRejection[] = [];
  const onRejected = (rejection: BatchRejection) => rejected.push(rejection);
  const counts = await importSpooled(dependencies, sender, batch, { onRejected }).catch((error) => {
    throw faultOf(error);
  });
  return { ...counts, rejected };
}
