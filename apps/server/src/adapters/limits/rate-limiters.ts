import type pg from 'pg';
import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
  type RateLimiterStoreAbstract,
} from 'rate-limiter-flexible';
import { DomainError } from '../../platform/domain-error.ts';

export interface RateLimit {
  requests: number;
  /** Milliseconds. A window starts with the first request. */
  window: number;
}

/** Counts a request for a key. Throws the DomainError `too_many_requests` above the limit. */
export type CountRequest = (key: string) => Promise<void>;

/** Creates a rate limit that each server counts separately, in memory. */
export function createRateLimiter(limit: RateLimit): CountRequest {
  return countWith(new RateLimiterMemory({ points: limit.requests, duration: limit.window / 1_000 }));
}

/**
 * Creates a rate limit that all servers on a database count together, with one statement per request. Requests above
 * the limit need no statement.
 * @param name distinguishes it from the other limits of the database
 */
export function createSharedRateLimiter(pool: pg.Pool, name: string, limit: RateLimit): CountRequest {
  return countWith(
    new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      tableName: 'request_counts',
      tableCreated: true,
      keyPrefix: name,
      points: limit.requests,
      duration: limit.window / 1_000,
      inMemoryBlockOnConsumed: limit.requests + 1,
    }),
  );
}

function countWith(limiter: RateLimiterMemory | RateLimiterStoreAbstract): CountRequest {
  return async (key) => {
    try {
      await limiter.consume(key);
    } catch (rejection) {
      if (!(rejection instanceof RateLimiterRes)) throw rejection;
      throw tooManyRequests(rejection);
    }
  };
}

const tooManyRequests = ({ msBeforeNext }: RateLimiterRes) =>
  new DomainError('too_many_requests', { retryAfter: Math.max(Math.ceil(msBeforeNext / 1_000), 1) });
