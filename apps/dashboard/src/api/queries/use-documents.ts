import type { CaseDocument } from '@keyturn/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCaseState } from '../case/use-case-state.ts';
import { useServices } from '../services/services.ts';
import { callOptions, usePolling } from './polling.ts';
import { queryKeys } from './query-keys.ts';

/** Every document of the active case, newest first. */
export function useDocuments() {
  const { call } = useServices();
  const { generation } = useCaseState();
  return useQuery({
    ...usePolling(),
    queryKey: queryKeys.documents(generation),
    queryFn: (context) => call('GET /documents', callOptions(context)),
  });
}

/** One document of any of the client's cases: at once if a list in the cache has it, then from the server. */
export function useDocument(id: string) {
  const { call } = useServices();
  const { generation } = useCaseState();
  const queries = useQueryClient();
  return useQuery({
    ...usePolling(),
    queryKey: queryKeys.document(id),
    queryFn: (context) => call('GET /documents/{id}', { params: { id }, ...callOptions(context) }),
    initialData: () =>
      queries
        .getQueryData<CaseDocument[]>(queryKeys.documents(generation))
        ?.find((document) => document.id === id),
    initialDataUpdatedAt: 0,
  });
}
