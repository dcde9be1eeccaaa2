import { ApiError } from '../api/client/api-error.ts';

/** What was thrown, of an event as of an error; undefined for a failed call whose failure the contract foresees. */
export function unexpectedErrorFrom(told: unknown): unknown {
  if (told instanceof ErrorEvent) return told.error ?? told.message;
  if (told instanceof PromiseRejectionEvent) return told.reason;
  if (told instanceof DOMException && told.name === 'AbortError') return undefined;
  if (told instanceof ApiError) return surprises.has(told.code) ? told : undefined;
  return told;
}

/** The server failed in a way that nobody foresaw, or answered what nobody can read. */
const surprises = new Set<ApiError['code']>(['unexpected', 'unreadable']);
