import { ApiError } from '@keyturn/browser/calls/api-error.ts';

/**
 * Returns the error to report for a thrown value or a browser's error event.
 * @returns undefined for an aborted call, and for an API error that the contract expects
 */
export function unexpectedErrorFrom(thrown: unknown): unknown {
  if (thrown instanceof ErrorEvent) return thrown.error ?? thrown.message;
  if (thrown instanceof PromiseRejectionEvent) return thrown.reason;
  if (thrown instanceof DOMException && thrown.name === 'AbortError') return undefined;
  if (thrown instanceof ApiError) return unexpectedCodes.has(thrown.code) ? thrown : undefined;
  return thrown;
}

/** Codes of a server fault, and of a response that is not valid. */
const unexpectedCodes = new Set<ApiError['code']>(['unexpected', 'unreadable']);
