import type { PaymentStatus } from '@keyturn/contract';
import type { QueryClient, QueryFunctionContext } from '@tanstack/react-query';
import type { LiveStore } from '../services/live-store.ts';
import { useServices } from '../services/services.ts';
import { useIsSwitchingCase } from './use-switch-case.ts';

/**
 * The query options that keep a screen up to date: it polls while the page is visible, and refetches when the page
 * becomes visible again and when the browser comes back online. Paused during a switch of cases, so that an answer
 * about the old case cannot arrive after the new one.
 * @param statuses reads the statuses of the payments in the data
 */
export function usePolling<Data>(statuses?: (data: Data) => (PaymentStatus | undefined)[]) {
  const { live } = useServices();
  return {
    enabled: !useIsSwitchingCase(),
    refetchInterval: ({ state }: { state: { data?: Data | undefined } }) =>
      pollInterval(live, state.data === undefined ? [] : statuses?.(state.data)),
    refetchOnWindowFocus: true,
    refetchOnReconnect: 'always',
  } as const;
}

/**
 * The time between two polls in milliseconds: longer while the real-time channel announces changes, shorter while the
 * bank is confirming a payment.
 */
export function pollInterval(live: LiveStore, statuses: (PaymentStatus | undefined)[] = []): number {
  const isLive = live.get().status === 'live';
  if (statuses.includes('processing')) return isLive ? 10_000 : 2_000;
  return isLive ? 3 * 60_000 : 15_000;
}

/**
 * Adjusts the intervals of all polling queries when the real-time channel connects or disconnects, without rendering any
 * screen again.
 * @returns a function that stops it
 */
export function adjustPolling(queries: QueryClient, live: LiveStore): () => void {
  let { status } = live.get();
  return live.subscribe(() => {
    if (live.get().status === status) return;
    status = live.get().status;
    for (const { observers } of queries.getQueryCache().getAll())
      for (const observer of observers) observer.setOptions(observer.options);
  });
}

/** The call options of a query function. Every fetch after the first is in the background: the client did not ask for it. */
export function callOptions({ client, queryKey, signal }: QueryFunctionContext) {
  const state = client.getQueryState(queryKey);
  return { signal, background: (state?.dataUpdateCount ?? 0) + (state?.errorUpdateCount ?? 0) > 0 };
}
