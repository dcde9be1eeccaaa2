import type { StaffCallData, StaffCallKey, StaffCallParams, Versioned } from '@keyturn/contract/staff';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callStaff } from '../../api/desk-api.ts';
import { missingFirmDataKey } from '../../api/missing-firm-data.ts';
import { useUndo } from '../../ui/feedback/use-undo.ts';

/** The calls that read the firm’s data. */
type ReadKey = Extract<
  StaffCallKey,
  | 'GET /staff/firm'
  | 'GET /staff/regulation'
  | 'GET /staff/payment-rules'
  | 'GET /staff/brand'
  | 'GET /staff/bank-holidays'
  | 'GET /staff/waiting-texts'
  | 'GET /staff/document-groups'
  | 'GET /staff/search-catalogue'
  | 'GET /staff/ledger-exports'
  | 'GET /staff/milestone-paths/{matter_type}'
>;

type ValueOf<Key extends ReadKey> = StaffCallData<Key> extends Versioned<infer Value> ? Value : never;

/** The member’s entries, with the version on which they are based. */
interface Draft<Entered> {
  version: number;
  entered: Entered;
}

/**
 * Reads the firm’s data, and keeps the member’s entries until they are saved or discarded. A newer version that a
 * colleague saves meanwhile does not replace the entries, and the server then rejects saving them.
 * @param toEntered converts the value to the content of the form
 * @param params the parameters of the call
 */
export function useVersioned<Key extends ReadKey, Entered>(
  key: Key,
  toEntered: (value: ValueOf<Key>) => Entered,
  ...[params]: StaffCallParams<Key> extends undefined ? [] : [params: StaffCallParams<Key>]
) {
  const queries = useQueryClient();
  const queryKey = [key, params ?? null];
  // The options of a call depend on its key, which TypeScript cannot infer here.
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
    /** Shows the server’s answer to a change. */
    accept: (changed: Versioned<ValueOf<Key>>) => {
      queries.setQueryData(queryKey, changed);
      setDraft(null);
      void queries.invalidateQueries({ queryKey: missingFirmDataKey });
    },
    /** Replaces the entries with the stored value. */
    reload: async () => {
      setDraft(null);
      await query.refetch();
    },
  };
}

/**
 * Creates a function that saves the member’s entries, and offers to restore the previous value.
 * @param change.changed the message after saving: “Folders saved.”
 * @param change.restored the message after undoing the change
 */
export function useSave<Value, Entered>(
  settings: {
    stored: Versioned<Value> | undefined;
    current: Draft<Entered> | undefined;
    accept(changed: Versioned<Value>): void;
  },
  change: {
    toValue(entered: Entered): NonNullable<Value>;
    /** @param version the version that the value replaces */
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
