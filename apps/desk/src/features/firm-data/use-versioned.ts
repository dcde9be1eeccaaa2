import type { StaffCallData, StaffCallKey, StaffCallParams, Versioned } from '@keyturn/contract/staff';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callStaff } from '../../api/desk-api.ts';
import { useUndo } from '../../ui/feedback/use-undo.ts';

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

/**
 * Creates a function that saves what the member has entered, and offers to restore what was stored before.
 * @param change.changed what is shown afterwards: “The folders are changed.”
 * @param change.restored what is shown when the member has undone the change
 */
export function useSave<Value, Entered>(
  settings: {
    stored: Versioned<Value> | undefined;
    current: Draft<Entered> | undefined;
    accept(changed: Versioned<Value>): void;
  },
  change: {
    toValue(entered: Entered): NonNullable<Value>;
    /** @param version that the value replaces */
    send(body: { version: number; value: NonNullable<Value> }): Promise<Versioned<Value>>;
    changed: string;
    restored: string;
  },
): () => Promise<void> {
  const offerUndo = useUndo();
  const { stored, current, accept } = settings;
  return async () => {
    if (!stored || !current) return;
    const { value: before } = stored;
    const saved = await change.send({ version: current.version, value: change.toValue(current.entered) });
    accept(saved);
    if (before === null || before === undefined) return;
    offerUndo({
      text: change.changed,
      undo: async () => accept(await change.send({ version: saved.version, value: before })),
      undone: change.restored,
    });
  };
}
