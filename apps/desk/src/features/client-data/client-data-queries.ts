import type { ErasureRecord } from '@keyturn/contract/staff';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { callStaff } from '../../api/desk-api.ts';

const dataKey = (clientId: string) => ['client-data', clientId];
const erasureKey = (clientId: string) => [...dataKey(clientId), 'erasure'];

/** What is kept about a client, until when, and the legal holds. */
export const useClientData = (clientId: string, { isWanted }: { isWanted: boolean }) =>
  useQuery({
    queryKey: dataKey(clientId),
    queryFn: ({ signal }) => callStaff('GET /staff/clients/{id}/data', { params: { id: clientId }, signal }),
    enabled: isWanted,
  });

/** What an erasure would delete, or what is left of an erased client. Read again while files wait to be removed. */
export const useErasure = (clientId: string, { isWanted }: { isWanted: boolean }) =>
  useQuery({
    queryKey: erasureKey(clientId),
    queryFn: ({ signal }) =>
      callStaff('GET /staff/clients/{id}/erasure', { params: { id: clientId }, signal }),
    enabled: isWanted,
    refetchInterval: ({ state }) => (state.data?.record?.files.waiting ? 5_000 : false),
  });

/** Returns functions that show the result of a change. */
export function useClientDataChanges(clientId: string) {
  const queries = useQueryClient();
  return {
    refresh: () => queries.invalidateQueries({ queryKey: dataKey(clientId) }),
    showErased: (record: ErasureRecord) => {
      queries.setQueryData(erasureKey(clientId), { plan: null, record });
      // The lists and pages of cases name a client who is gone.
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'client-data' });
    },
  };
}

export type ClientDataChanges = ReturnType<typeof useClientDataChanges>;
