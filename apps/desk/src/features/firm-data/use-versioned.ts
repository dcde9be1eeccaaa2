import type { StaffCallData, StaffCallKey, StaffCallParams, Versioned } from '@keyturn/contract/staff';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callStaff } from '../../api/desk-api.ts';

/** The calls that read what the firm edits. */
type ReadKey = Extract<
  StaffCallKey,
  | 'GET /staff/firm'
  | 'GET /staff/brand'
  | 'GET /staff/bank-holidays'
  | 'GET /staff/document-groups'
  | 'GET /staff/search-catalogue'
  | 'GET /staff/milestone-paths/{matter_type}'
>;

type ValueOf<Key extends ReadKey> = StaffCallData<Key> extends Versioned<infer Value> ? Value : never;

/** What the member has entered, with the version that it is based on. */
interface Draft<Entered> {
  version: number;
  entered: Entered;
}

/**
 * Reads what the firm edits, and keeps what the member enters until it is saved or discarded. A newer version that a
 * colleague saves meanwhile does not replace what was entered, and saving it is refused by the server.
 * @param toEntered makes the content of the form
 * @param params of the call
 */
export function useVersioned<Key extends ReadKey, Entered>(
  key: Key,
  toEntered: (value: ValueOf<Key>) => Entered,
  ...[params]: StaffCallParams<Key> extends undefined ? [] : [params: StaffCallParams<Key>]
) {
  const queries = useQueryClient();
  const queryKey = [key, params ?? null];
  // Which options a call has depends on its key, which TypeScript cannot follow here.
  const read = callStaff as unknown as (key: Key, options: object) => Promise<Versioned<ValueOf<Key>>>;
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => read(key, { signal, ...(params ? { params } : {}) }),
  });
  const [draft, setDraft] = useState<Draft<Entered> | null>(null);
  const stored = query.data;
  const start = stored && { version: stored.version, entered: toEntered(stored.value) };
  const current = draft ?? start;
  return {
    query,
    stored,
    /** Undefined until the value is read. */
    current,
    isChanged: draft !== null,
    change: (entered: Entered) => {
      if (current) setDraft({ version: current.version, entered });
    },
    discard: () => setDraft(null),
    /** Shows what the server has answered to a change. */
    accept: (changed: Versioned<ValueOf<Key>>) => {
      queries.setQueryData(queryKey, changed);
      setDraft(null);
    },
    /** Replaces what was entered by what is stored now. */
    reload: async () => {
      setDraft(null);
      await query.refetch();
    },
  };
}
