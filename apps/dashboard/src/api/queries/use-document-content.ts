import type { CaseDocument } from '@keyturn/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useServices } from '../services/services.ts';
import { queryKeys } from './query-keys.ts';

/** The file of a document in memory. */
export interface DocumentFile {
  file: Blob;
  /** SHA-256 of the original that the file was requested for; a signature applies to it. */
  sha256: string;
}

/**
 * The file of a document, with the client's signature once they have signed. It leaves the cache with the screen; while
 * a changed file is loading, the previous one stays visible.
 */
export function useDocumentContent(document: CaseDocument | undefined) {
  const { call } = useServices();
  const { id = '', sha256 = '', signature = null } = document ?? {};
  return useQuery({
    queryKey: queryKeys.documentContent(id, sha256, signature?.signed_at ?? null),
    queryFn: async ({ signal }): Promise<DocumentFile> => ({
      file: await call('GET /documents/{id}/content', { params: { id }, signal, timeout: contentTimeout }),
      sha256,
    }),
    enabled: document !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** A function that fetches the current file of a document, with the signatures of everyone who has signed. */
export function useFetchDocumentContent(): (id: string) => Promise<Blob> {
  const { call } = useServices();
  return (id) => call('GET /documents/{id}/content', { params: { id }, timeout: contentTimeout });
}

/** Milliseconds; enough for 25 MB on a slow connection. */
const contentTimeout = 300_000;
