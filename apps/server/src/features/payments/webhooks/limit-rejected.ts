import { throttledAddress } from '../../../platform/requests/throttled-address.ts';

/** Counts rejected webhooks by address. */
export interface RejectedWebhooks {
  /** Throws the DomainError `too_many_requests` for an address with too many rejected webhooks. */
  check(address: string): Promise<void>;
  countFailure(address: string): Promise<void>;
}

/**
 * Limits rejected webhooks by address, so that forged ones cannot fill the log or occupy the server. An address that has
 * sent a genuine webhook since the start is not limited: a provider may send those of an account with an outdated secret
 * from the same address, and without trusted proxies all addresses look the same.
 */
export function createRejectionLimit(rejected: RejectedWebhooks) {
  const genuine = new Set<string>();
  return {
    check: async (ip: string): Promise<void> => {
      const address = throttledAddress(ip);
      if (!genuine.has(address)) await rejected.check(address);
    },
    onRejected: (ip: string): void => void rejected.countFailure(throttledAddress(ip)),
    onAccepted: (ip: string): void => {
      if (genuine.size >= maxAddresses) genuine.clear();
      genuine.add(throttledAddress(ip));
    },
  };
}

const maxAddresses = 1_000;
