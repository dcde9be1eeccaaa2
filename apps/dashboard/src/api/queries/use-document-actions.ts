import { retryTransientErrors } from '@keyturn/browser/calls/api-error.ts';
import type { CaseDocument, SignatureBody } from '@keyturn/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCaseState } from '../case/case-store.ts';
import { useServices } from '../services/services.ts';
import { queryKeys } from './query-keys.ts';

/** Marks a document as read. A failure is not shown: opening the document again repeats the call. */
export function useMarkDocumentRead() {
  const { call } = useServices();
  const updateCache = useUpdateDocument();
  return useMutation({
    mutationFn: (id: string) => call('POST /documents/{id}/read', { params: { id } }),
    retry: retryTransientErrors,
    onSuccess: updateCache,
  });
}

/** Signs a document. The mutation fails with an `ApiError`. */
export function useSignDocument(id: string) {
  const { call } = useServices();
  const updateCache = useUpdateDocument();
  return useMutation({
    mutationFn: (body: SignatureBody) => call('POST /documents/{id}/signature', { params: { id }, body }),
    onSuccess: updateCache,
  });
}

/** Puts a document into the cache and refetches everything that depends on reads and signatures. */
function useUpdateDocument() {
  const queries = useQueryClient();
  const { generation } = useCaseState();
  return (document: CaseDocument) => {
    queries.setQueryData(queryKeys.document(document.id), document);
    void queries.invalidateQueries({ queryKey: queryKeys.documents(generation) });
    void queries.invalidateQueries({ queryKey: queryKeys.newestHistory(generation) });
    void queries.invalidateQueries({ queryKey: queryKeys.client });
    void queries.invalidateQueries({ queryKey: queryKeys.milestones(generation) });
  };
}
