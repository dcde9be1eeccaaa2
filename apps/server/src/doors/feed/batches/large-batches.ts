import { and, eq, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { FeedError } from '../../../case-file/import/read-feed.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { isId } from '../../../platform/ids.ts';
import { createSerialQueue } from '../../../platform/serial-queue.ts';
import { deleteExpiredRows } from '../../../schema/tables/delete-expired-rows.ts';
import { type BatchRejection, feedBatches } from '../../../schema/tables/feed-key-tables.ts';
import type { SendDependencies, Sender } from '../send-records.ts';
import { limitHeapGrowth } from './limit-heap-growth.ts';
import { importSpooled } from './send-spooled.ts';
import type { SpooledBatch } from './spool-batch.ts';

export interface LargeBatchDependencies extends SendDependencies {
  /** Receives errors that no caller waits for. */
  onError(error: unknown): void;
}

/** The queue of batches that are imported after the response to their sender. */
export interface LargeBatches {
  /** Imports a batch once earlier ones are done, and then removes its records. */
  start(sender: Sender, batch: SpooledBatch): Promise<void>;
  /** Stops importing. Batches that are not done count as failed. */
  stop(): Promise<void>;
  /** Whether a batch is waiting or being imported. */
  has(id: string): boolean;
  /** How many are waiting or being imported. */
  waiting(): number;
}

/** Creates the queue of one server, which imports one large batch at a time, next to single records. */
export function createLargeBatches(dependencies: LargeBatchDependencies): LargeBatches {
  const { database } = dependencies;
  const enqueue = createSerialQueue();
  const waiting = new Set<string>();
  let isStopping = false;
  let last: Promise<unknown> = Promise.resolve();
  const heartbeat = setInterval(() => {
    for (const id of waiting) {
      // A newer progress report follows soon.
      database
        .update(feedBatches)
        .set({ aliveAt: sql`now()` })
        .where(eq(feedBatches.id, id))
        .catch(() => {});
    }
  }, heartbeatEvery).unref();

  const run = async (sender: Sender, batch: SpooledBatch) => {
    const write = (change: PgUpdateSetSource<typeof feedBatches>) =>
      database.update(feedBatches).set(change).where(eq(feedBatches.id, batch.id));
    let progress: Promise<unknown> = Promise.resolve();
    /** Writes the final state, which no earlier report may overwrite. */
    const end = async (change: PgUpdateSetSource<typeof feedBatches>) => {
      await progress;
      await write({ ...change, finishedAt: sql`now()` });
    };
    try {
      if (isStopping) throw new FeedError(interrupted);
      await write({ state: 'importing', startedAt: sql`now()` });
      const rejections: BatchRejection[] = [];
      let reportedAt = Number.NEGATIVE_INFINITY;
      const counts = await importSpooled(dependencies, sender, batch, {
        onRejected: (rejection) => {
          if (rejections.length < maxRejections) rejections.push(rejection);
        },
        onProgress: (done) => {
          if (performance.now() - reportedAt < progressEvery) return;
          reportedAt = performance.now();
          progress = write({ done, aliveAt: sql`now()` }).catch(() => {});
        },
        checkRunning: () => {
          if (isStopping) throw new FeedError(interrupted);
        },
      });
      const done = { ...counts, rejections, done: batch.records };
      await end({ ...done, state: 'done' });
    } catch (error) {
      const reason = error instanceof FeedError ? error.message : unexpected;
      await end({ state: 'failed', reason });
      if (!(error instanceof FeedError)) throw error;
    } finally {
      waiting.delete(batch.id);
      await batch.remove();
    }
  };
  return {
    start: async (sender, batch) => {
      await deleteExpiredRows(
        database,
        { table: feedBatches, age: feedBatches.receivedAt },
        new Date(dependencies.clock().getTime() - keptFor),
        { maxBatches: 1 },
      );
      await database
        .insert(feedBatches)
        .values({ id: batch.id, keyId: sender.caller.id, state: 'waiting', records: batch.records });
      waiting.add(batch.id);
      last = enqueue(() => limitHeapGrowth(() => run(sender, batch))).catch((error) =>
        dependencies.onError(error),
      );
    },
    has: (id) => waiting.has(id),
    waiting: () => waiting.size,
    stop: async () => {
      isStopping = true;
      clearInterval(heartbeat);
      await last;
    },
  };
}

const interrupted = 'The server stopped. Send the batch again: records that were stored are then unchanged.';
const unexpected =
  'An unexpected error stopped the import. Send the batch again: records that were stored are then unchanged.';

/** Milliseconds. */
const heartbeatEvery = 10_000;
const keptFor = 7 * 86_400_000;
const progressEvery = 1_000;
const maxRejections = 1_000;

/** Reads the state of a batch that the same key has sent. @throws DomainError `not_found` */
export async function readBatch({ database }: Pick<SendDependencies, 'database'>, keyId: string, id: string) {
  const [found] = isId(id)
    ? await database
        .select({
          batch: feedBatches,
          isAbandoned: sql<boolean>`${feedBatches.aliveAt} < now() - interval '1 minute'`,
          seconds: sql<number>`extract(epoch from coalesce(${feedBatches.finishedAt}, now()) - ${feedBatches.startedAt})::float8`,
        })
        .from(feedBatches)
        .where(and(eq(feedBatches.id, id), eq(feedBatches.keyId, keyId)))
    : [];
  if (!found) throw new DomainError('not_found');
  const { batch, isAbandoned, seconds } = found;
  const isOpen = batch.state === 'waiting' || batch.state === 'importing';
  const state = isOpen && isAbandoned ? 'failed' : batch.state;
  return {
    id,
    state,
    reason: isOpen && isAbandoned ? interrupted : batch.reason,
    records: batch.records,
    processed: batch.done,
    created: batch.created,
    updated: batch.updated,
    unchanged: batch.unchanged,
    rejected_count: batch.rejected,
    rejected: batch.rejections,
    records_per_second: seconds ? Math.round(batch.done / seconds) : 0,
    received_at: batch.receivedAt.toISOString(),
    finished_at: batch.finishedAt?.toISOString() ?? null,
  };
}
