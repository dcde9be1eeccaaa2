import { useQuery, useQueryClient } from '@tanstack/react-query';
import { callStaff } from '../../api/desk-api.ts';

const endpointsKey = ['webhooks'] as const;

/** The key of the deliveries of an endpoint; `isDead` for dead letters alone. */
export const deliveriesKey = (id: string, isDead: boolean) => [...endpointsKey, id, { isDead }] as const;

/** Milliseconds between two looks at what is on its way. */
export const deliveryInterval = 5_000;

/** Reads the endpoints of webhooks; again every few seconds while something waits for one of them. */
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
    /** Reads endpoints and deliveries again. */
    refresh: () => queries.invalidateQueries({ queryKey: endpointsKey }),
  };
}
