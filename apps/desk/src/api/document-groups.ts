import type { DocumentGroup } from '@keyturn/contract';
import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { callStaff } from './desk-api.ts';

const groupsQuery = {
  queryKey: ['GET /staff/document-groups', null],
  queryFn: ({ signal }: { signal: AbortSignal }) => callStaff('GET /staff/document-groups', { signal }),
};

/** Prefetches the names of the document folders, so that a member who opens the documents does not wait. */
export const usePrefetchDocumentGroups = () => usePrefetchQuery(groupsQuery);

/** The folders of documents, as the firm names them; empty while loading, or if they could not be fetched. */
export function useDocumentGroups(): {
  groups: { value: DocumentGroup; name: string }[];
  isLoading: boolean;
} {
  const { data, isPending } = useQuery(groupsQuery);
  return {
    groups: (data?.value ?? []).map(({ group, name }) => ({ value: group, name })),
    isLoading: isPending,
  };
}
