import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError } from '../../platform/domain-error.ts';

/**
 * Creates a rate limit for each client, counted in this process. A client's window starts with its first request.
 *
 * @param limit.window milliseconds
 * @returns counts a request; rejects with DomainError `too_many_requests` above the limit
 */
export function createRateLimiter(limit: {
  requests: number;
  window: number;
}): (clientId: string) => Promise<void> {
  const limiter = new RateLimiterMemory({ points: limit.requests, duration: limit.window / 1_000 });
  return async (clientId) => {
    try {
      await limiter.consume(clientId);
    } catch (rejection) {
      if (!(rejection instanceof RateLimiterRes)) throw rejection;
      throw new DomainError('too_many_requests', { retryAfter: Math.ceil(rejection.msBeforeNext / 1_000) });
    }
  };
}
