import { DomainError } from '../../platform/domain-error.ts';

/**
 * Creates a rate limit for each client, with a fixed window that all clients share.
 *
 * @param limit.window milliseconds
 * @returns counts a request; throws DomainError `too_many_requests` above the limit
 */
export function createRateLimiter(limit: { requests: number; window: number }): (clientId: string) => void {
  let counts = new Map<string, number>();
  let windowStart = Number.NEGATIVE_INFINITY;
  return (clientId) => {
    const now = performance.now();
    if (now - windowStart >= limit.window) {
      windowStart = now;
      counts = new Map();
    }
    const count = (counts.get(clientId) ?? 0) + 1;
    counts.set(clientId, count);
    if (count > limit.requests) {
      throw new DomainError('too_many_requests', { retryAfter: Math.ceil(limit.window / 1_000) });
    }
  };
}
