import type { TestClock } from '../test-clock.ts';
import { refusal } from './rules/stripe-rules.ts';

export interface Answer {
  status: number;
  body: string;
}

/** How long a key is kept, in milliseconds. */
const retention = 24 * 3_600_000;

/**
 * Simulates Stripe's idempotency store. The first response for a key, including declines and server errors, answers every
 * repeat for 24 hours. A repeat that arrives during the first call is rejected.
 * @returns a function that runs a call under its key
 */
export function createIdempotencyStore(clock: TestClock) {
  const kept = new Map<string, { at: number; request: string; answer: Answer }>();
  const underWay = new Set<string>();
  /** @param request the method, path and body; the same key with another request is rejected */
  return async (
    key: string | undefined,
    request: string,
    answer: () => Promise<Answer>,
  ): Promise<Answer & { replayed: boolean }> => {
    if (key === undefined) return { ...(await answer()), replayed: false };
    const now = clock().getTime();
    const known = kept.get(key);
    if (known && now - known.at < retention) {
      if (known.request !== request) throw refusal('idempotency-key-reuse');
      return { ...known.answer, replayed: true };
    }
    if (underWay.has(key)) throw refusal('idempotency-key-in-use');
    underWay.add(key);
    try {
      const first = await answer();
      // Requests rejected before execution are not stored.
      if (first.status < 400 || first.status === 402 || first.status >= 500) {
        kept.set(key, { at: now, request, answer: first });
      }
      return { ...first, replayed: false };
    } finally {
      underWay.delete(key);
    }
  };
}
