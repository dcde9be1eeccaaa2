// @ts-check

/* Loaded into the server by bench/channel.mjs: reports its memory after garbage collection. */

process.on('message', () => {
  globalThis.gc?.();
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send?.({ rss, used: heapUsed + external });
});
process.channel?.unref();
