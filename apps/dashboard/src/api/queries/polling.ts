import type { PaymentStatus } from '@keyturn/contract';
import type { QueryFunctionContext } from '@tanstack/react-query';
import { useIsLive } from './use-live.ts';
import { useIsSwitchingCase } from './use-switch-case.ts';

/**
 * The query options that keep a screen up to date: it polls while the page is visible, and refetches when the page
 * becomes visible again and when the browser comes back online. Paused during a switch of cases, so that an answer
 * about the old case cannot arrive after the new one.
 */
export function usePolling() {
  const isSwitching = useIsSwitchingCase();
  const isLive = useIsLive();
  return {
    enabled: !isSwitching,
    refetchInterval: pollInterval(isLive),
    refetchOnWindowFocus: true,
    refetchOnReconnect: 'always',
  } as const;
}

/**
 * The time between two polls in milliseconds: longer while the real-time channel announces changes, shorter while the
 * bank is confirming a payment.
 */
export function pollInterval(isLive: boolean, statuses: (PaymentStatus | undefined)[] = []): number {
  if (statuses.includes('processing')) return isLive ? 10_000 : 2_000;
  return isLive ? 3 * 60_000 : 15_000;
}

/** The call options of a query function. Every fetch after the first is in the background: the client did not ask for it. */
export function callOptions({ client, queryKey, signal }: QueryFunctionContext) {
  const state = client.getQueryState(queryKey);
  return { signal, background: (state?.dataUpdateCount ?? 0) + (state?.errorUpdateCount ?? 0) > 0 };
}
