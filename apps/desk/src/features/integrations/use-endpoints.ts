import { useQuery, useQueryClient } from '@tanstack/react-query';
import { callStaff } from '../../api/desk-api.ts';

const endpointsKey = ['webhooks'] as const;

/** The key of the deliveries of an endpoint; `isDead` for dead letters alone. */
export const deliveriesKey = (id: string, isDead: boolean) => [...endpointsKey, id, { isDead }] as const;

/** The polling interval for pending deliveries, in milliseconds. */
export const deliveryInterval = 5_000;

/** Reads the endpoints of webhooks, and polls every few seconds while one of them has waiting events. */
export function useEndpoints() {
  const queries = useQueryClient();
  const endpoints = useQuery({
    queryKey: endpointsKey,
    queryFn: ({ signal }) => callStaff('GET /staff/webhooks', { signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ state, pending, retrying }) => state === 'enabled' && pending + retrying > 0)
        ? deliveryInterval
        : false,
  });
  return {
    endpoints,
    /** Refetches endpoints and deliveries. */
    refresh: () => queries.invalidateQueries({ queryKey: endpointsKey }),
  };
}
