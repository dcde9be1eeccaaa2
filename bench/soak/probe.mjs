// @ts-check
import { existsSync, readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/*
 * Loaded into the server by bench/soak.mjs. Answers each message with what the server keeps, after garbage collection, and
 * with the delay of its event loop since the last message and since the start, at the p99 in milliseconds.
 */

const openFiles = '/proc/self/fd';
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
const totalDelay = monitorEventLoopDelay({ resolution: 10 });
totalDelay.enable();

process.on('message', () => {
  delay.disable();
  const delayP99 = delay.percentile(99) / 1e6;
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  process.send?.({
    delayP99,
    totalDelayP99: totalDelay.percentile(99) / 1e6,
    memory: (heapUsed + external) / 1024 ** 2,
    rss: rss / 1024 ** 2,
    resources: process.getActiveResourcesInfo().length,
    files: countOpenFiles(),
  });
  delay.reset();
  delay.enable();
});
process.channel?.unref();

/** Counts open files and sockets. @returns {number | null} null where `/proc` does not list them: outside Linux */
function countOpenFiles() {
  return existsSync(openFiles) ? readdirSync(openFiles).length : null;
}
