// @ts-check

/* Loaded into the server by bench/channel.mjs: says how much memory is in use when nothing is left to collect. */

process.on('message', () => {
  globalThis.gc?.();
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send?.({ rss, used: heapUsed + external });
});
process.channel?.unref();
