import type { CallAnswer, DocumentFolder } from '@keyturn/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCaseState } from '../case/case-store.ts';
import { useServices } from '../services/services.ts';
import { callOptions, usePolling } from './polling.ts';
import { queryKeys } from './query-keys.ts';

/** Every document of the active case, newest first. */
export const useDocuments = () => useListed(({ data }) => data);

/**
 * The folders of the active case, in the firm's words; undefined while loading.
 * @param options.isFetched false to read only the cache, for a screen that needs only a name
 */
export const useFolders = ({ isFetched = true } = {}): DocumentFolder[] | undefined =>
  useListed(({ meta }) => meta.folders, isFetched).data;

type Listed = CallAnswer<'GET /documents'>;

function useListed<Selected>(select: (listed: Listed) => Selected, isFetched = true) {
  const { call } = useServices();
  const { generation } = useCaseState();
  const polling = usePolling();
  return useQuery({
    ...polling,
    enabled: polling.enabled && isFetched,
    queryKey: queryKeys.documents(generation),
    queryFn: (context) => call('GET /documents', callOptions(context)),
    select,
  });
}

/** One document of any of the client's cases: immediately if a cached list has it, then from the server. */
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
        .getQueryData<Listed>(queryKeys.documents(generation))
        ?.data.find((document) => document.id === id),
    initialDataUpdatedAt: 0,
  });
}
