import type { FastifyInstance } from 'fastify';
import type { AlertOperator } from '../platform/alert-operator.ts';
import { describeError } from '../platform/describe-error.ts';

/** Gives parts that are composed before the HTTP server access to its log and its address, once it exists. */
export interface ServerReference {
  set(server: FastifyInstance): void;
  warn(message: string, error: unknown): void;
  alertOperator: AlertOperator;
  /** Returns the server's address on this machine with a path appended; null while it does not listen. */
  address(path?: string): string | null;
}

export function createServerReference(): ServerReference {
  let server: FastifyInstance | undefined;
  return {
    set: (created) => {
      server = created;
    },
    warn: (message, error) => server?.log.warn({ reason: describeError(error).message }, message),
    alertOperator: (message, details) => server?.log.error(details, message),
    address: (path = '') => {
      const address = server?.server.address();
      if (!address || typeof address === 'string') return null;
      return `http://${hostOf(address)}:${address.port}${path}`;
    },
  };
}

function hostOf({ address, family }: { address: string; family: string }): string {
  if (address === '0.0.0.0' || address === '::') return 'localhost';
  return family === 'IPv6' ? `[${address}]` : address;
}
