import type { FastifyInstance } from 'fastify';
import type { OnMaintenance } from '../live/maintenance/read-maintenance.ts';
import { type AlertKind, type AlertOperator, alertKinds } from '../platform/alert-operator.ts';
import { describeError } from '../platform/describe-error.ts';

/** Gives parts that are composed before the HTTP server access to its log and its address, once it exists. */
export interface ServerReference {
  set(server: FastifyInstance): void;
  warn(message: string, error: unknown): void;
  /** Logs the start and the end of maintenance, which is not logged for each request that it refuses. */
  logMaintenance: OnMaintenance;
  /** Returns the function that logs and counts alerts of one kind. */
  alertAbout(kind: AlertKind): AlertOperator;
  /** Returns the number of alerts of each kind since the start. */
  alertCounts(): ReadonlyMap<AlertKind, number>;
  /**
   * Returns the server's address on this machine with a path appended; null while it does not listen. It names
   * `localhost` where it can, because passkeys do not work on an IP address, and a sign-in counts for one host name.
   */
  address(path?: string): string | null;
}

export function createServerReference(): ServerReference {
  let server: FastifyInstance | undefined;
  const counts = new Map<AlertKind, number>(alertKinds.map((kind) => [kind, 0]));
  return {
    set: (created) => {
      server = created;
    },
    warn: (message, error) => server?.log.warn({ reason: describeError(error).message }, message),
    logMaintenance: (area, notice) =>
      notice
        ? server?.log.warn(
            { until: notice.until },
            `maintenance (${area}) has started: requests are answered with 503 until it ends`,
          )
        : server?.log.warn(`maintenance (${area}) has ended`),
    alertAbout: (kind) => (message, details) => {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      server?.log.error(details, message);
    },
    alertCounts: () => counts,
    address: (path = '') => {
      const address = server?.server.address();
      if (!address || typeof address === 'string') return null;
      return `http://${hostOf(address)}:${address.port}${path}`;
    },
  };
}

function hostOf({ address, family }: { address: string; family: string }): string {
  if (['127.0.0.1', '0.0.0.0', '::1', '::'].includes(address)) return 'localhost';
  return family === 'IPv6' ? `[${address}]` : address;
}
