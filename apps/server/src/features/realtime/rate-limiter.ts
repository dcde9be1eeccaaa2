import { DomainError } from '../../platform/domain-error.ts';

/**
 * Counts what a client asks, in windows that open with the first of them.
 * @param most.within milliseconds
 * @returns throws DomainError `too_many_requests` for a client who has asked too often
 */
export function createRateLimiter(most: { times: number; within: number }): (clientId: string) => void {
  let counts = new Map<string, number>();
  let opened = Number.NEGATIVE_INFINITY;
  return (clientId) => {
    const now = performance.now();
    if (now - opened >= most.within) {
      opened = now;
      counts = new Map();
    }
    const count = (counts.get(clientId) ?? 0) + 1;
    counts.set(clientId, count);
    if (count > most.times) {
      throw new DomainError('too_many_requests', { retryAfter: Math.ceil(most.within / 1_000) });
    }
  };
}
