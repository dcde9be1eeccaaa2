import type { Stripe } from '@stripe/stripe-js';
import { useEffect, useState } from 'react';
import { dropSlowStripe, loadStripe } from '../../../api/payments/load-stripe.ts';

/**
 * How far it has come.
 * - `loading`: on its way
 * - `slow`: still on its way, for longer than anybody likes to wait
 * - `failed`: blocked, broken or lost
 */
export type LoadState = 'loading' | 'slow' | 'failed' | 'ready';

export interface StripeLoad {
  stripe: Stripe | null;
  loadState: LoadState;
  /** Fetches anew what failed or does not come, without a reload. */
  retry(): void;
  /** Counts the tries. */
  attempt: number;
}

/** Stripe.js, from the moment at which a card is to be given. */
export function useStripe(publishableKey: string): StripeLoad {
  const [stripe, setStripe] = useState<Stripe | null>(null);
  const [failedAttempt, setFailedAttempt] = useState<number | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isWanted = true;
    loadStripe(publishableKey).then(
      (loaded) => isWanted && setStripe(loaded),
      () => isWanted && setFailedAttempt(attempt),
    );
    return () => {
      isWanted = false;
    };
  }, [publishableKey, attempt]);
  const hasFailed = failedAttempt === attempt;
  const isSlow = useIsSlow(stripe === null && !hasFailed, attempt);
  return {
    stripe,
    loadState: stripe ? 'ready' : hasFailed ? 'failed' : isSlow ? 'slow' : 'loading',
    retry: () => {
      dropSlowStripe();
      setAttempt((before) => before + 1);
    },
    attempt,
  };
}

/** Whether something has been awaited for more than ten seconds, since the last attempt. */
export function useIsSlow(isAwaited: boolean, attempt: number): boolean {
  const [slowAttempt, setSlowAttempt] = useState<number | null>(null);
  useEffect(() => {
    if (!isAwaited) return undefined;
    const timer = setTimeout(() => setSlowAttempt(attempt), 10_000);
    return () => {
      clearTimeout(timer);
      setSlowAttempt(null);
    };
  }, [isAwaited, attempt]);
  return slowAttempt === attempt;
}
