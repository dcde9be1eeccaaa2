import { createStore } from '@keyturn/browser/store/create-store.ts';
import { type HistoryCategory, type HistoryEntry, historyCategories } from '@keyturn/contract';

const epoch = '1970-01-01T00:00:00.000Z';

/** The rows that group entries by category, in the order of the filter. They have the fields of an entry for the grid. */
export const categoryRows: HistoryEntry[] = historyCategories.map((category) => ({
  id: `category:${category}`,
  category,
  occurred_at: epoch,
  created_at: epoch,
  updated_at: epoch,
  actor: '',
  summary: '',
  link: null,
}));

/** Whether a row represents a category. The ids of entries are UUIDs. */
export const isCategoryRow = ({ id }: Pick<HistoryEntry, 'id'>): boolean => id.startsWith('category:');

/** A row of the grid; every row has data. */
interface Row {
  data?: HistoryEntry | undefined;
}

export interface CategoryGroups {
  /** The number of entries in a category that pass the filters, and whether they are shown. */
  get(category: HistoryCategory): { count: number; isOpen: boolean };
  /** Opens or closes a category. `isOpen` defaults to the opposite of the current state. */
  toggle(category: HistoryCategory, isOpen?: boolean): void;
  /**
   * Arranges filtered and sorted rows in place: each category's row before its entries. Leaves out the entries of closed
   * categories, and categories without entries.
   */
  arrange(rows: Row[]): void;
  /** The entries that were arranged last, those of closed categories included. */
  entries(): HistoryEntry[];
  subscribe(listener: () => void): () => void;
}

/** Creates the state of the groups; every category starts open. */
export function createCategoryGroups(): CategoryGroups {
  const groups = createStore<ReadonlyMap<HistoryCategory, { count: number; isOpen: boolean }>>(new Map());
  let arranged: HistoryEntry[] = [];
  const get = (category: HistoryCategory) => groups.get().get(category) ?? initial;
  const set = (category: HistoryCategory, group: { count: number; isOpen: boolean }) => {
    const { count, isOpen } = get(category);
    if (group.count === count && group.isOpen === isOpen) return;
    groups.set(new Map(groups.get()).set(category, group));
  };
  return {
    get,
    toggle: (category, isOpen = !get(category).isOpen) => set(category, { ...get(category), isOpen }),
    arrange: (rows) => {
      const shown: Row[] = [];
      arranged = [];
      for (const { category, id } of categoryRows) {
        const members = rows.filter(({ data }) => data?.category === category && !isCategoryRow(data));
        set(category, { ...get(category), count: members.length });
        if (members.length === 0) continue;
        shown.push(...rows.filter(({ data }) => data?.id === id));
        if (get(category).isOpen) shown.push(...members);
        arranged.push(...members.flatMap(({ data }) => data ?? []));
      }
      rows.splice(0, rows.length, ...shown);
    },
    entries: () => arranged,
    subscribe: groups.subscribe,
  };
}

const initial = { count: 0, isOpen: true };
