import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { startProduct } from '../harness/start-product.ts';
import { makeLines } from './make-feed.ts';
import { readPeakMemory } from './read-peak-memory.ts';
import { openFeed, sendBatch, waitForBatch } from './send-batch.ts';

export interface BatchMeasured {
  records: number;
  /** Milliseconds from the first line to the end of the import. */
  time: number;
  /** Resident memory of the server in megabytes, before the batch and at its peak; null where it cannot be read. */
  before: number | null;
  peak: number | null;
}

/** Measures a server that receives and imports an NDJSON batch. */
export async function measureBatch({
  records,
  seed,
}: {
  records: number;
  seed: number;
}): Promise<BatchMeasured> {
  const product = await startProduct({ env: { KEYTURN_DEMONSTRATION: 'off' } });
  try {
    const secret = await openFeed(product.dataDirectory);
    // Garbage from the start has been collected.
    await pause(2_000);
    const pid = product.process.pid ?? 0;
    const before = readPeakMemory(pid);
    const start = performance.now();
    const path = await sendBatch(product.url, secret, makeLines({ records, seed }));
    const status = await waitForBatch(product.url, secret, path);
    if (status.state !== 'done') throw new Error(JSON.stringify(status));
    const time = performance.now() - start;
    return { records: Number(status.records), time, before, peak: readPeakMemory(pid) };
  } finally {
    await product.stop();
    await rm(product.dataDirectory, { recursive: true, force: true });
  }
}
