import type pg from 'pg';
import { createRateLimiter, createSharedRateLimiter } from '../adapters/limits/rate-limiters.ts';
import type { RequestLimits } from '../http/limits/limit-requests.ts';
import { throttledAddress } from '../platform/requests/throttled-address.ts';
import type { Settings } from '../settings/read-settings.ts';

/**
 * Creates the rate limits. Each server counts reads and addresses in memory, because these limits protect that
 * server; changes are counted in the database, for all servers together.
 */
export function composeRequestLimits({ requestLimits }: Settings, pool: pg.Pool): RequestLimits {
  const { perAddress, readsPerClient, changesPerClient } = requestLimits;
  const countAddress = createRateLimiter({ requests: perAddress, window });
  return {
    countAddress: (address) => countAddress(throttledAddress(address)),
    countRead: createRateLimiter({ requests: readsPerClient, window }),
    countChange: createSharedRateLimiter(pool, 'change', { requests: changesPerClient, window }),
  };
}

/** Milliseconds. */
const window = 10_000;
