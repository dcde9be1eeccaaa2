import type { DocumentGroup } from '@keyturn/contract';
import { useQuery } from '@tanstack/react-query';
import { callStaff } from './desk-api.ts';

/** The folders of documents, as the firm names them; empty while loading. */
export function useDocumentGroups(): { value: DocumentGroup; name: string }[] {
  const { data } = useQuery({
    queryKey: ['GET /staff/document-groups', null],
    queryFn: ({ signal }) => callStaff('GET /staff/document-groups', { signal }),
  });
  return (data?.value ?? []).map(({ group, name }) => ({ value: group, name }));
}
