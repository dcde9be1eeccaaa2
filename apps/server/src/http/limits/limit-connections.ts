import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';

/**
 * Limits the connections of a server to a share of the files that this process may open, so that some are left for the
 * database, documents and payment providers. Further connections are closed at once, with a warning in the log.
 * @param openFiles the limit of this process; null if there is none
 */
export function limitConnections(
  server: Server,
  log: Pick<FastifyBaseLogger, 'warn'>,
  openFiles: number | null = readOpenFileLimit(),
): void {
  if (openFiles === null) return;
  const maxConnections = Math.floor(openFiles * share);
  server.maxConnections = maxConnections;
  let warnedAt = Number.NEGATIVE_INFINITY;
  server.on('drop', () => {
    if (performance.now() - warnedAt < warnEvery) return;
    warnedAt = performance.now();
    log.warn(
      { maxConnections, openFiles },
      'connections are closed: raise the limit of open files (ulimit -n)',
    );
  });
}

/** Of the files that the process may open. */
const share = 0.75;
/** Milliseconds. */
const warnEvery = 60_000;

/** Only Linux tells a process its limit in a file. Node.js raises it to the hard limit when it starts. */
function readOpenFileLimit(): number | null {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit === undefined ? null : Number(limit);
  } catch {
    return null;
  }
}
