import { isArrayOf, isObjectOf, isOneOf } from '../../api/checks/check.ts';

/** How the reader likes to see the history; kept in this browser. */
export interface ViewChoice {
  view: 'timeline' | 'table';
  /** Columns of the table that are not shown. */
  hidden: HistoryColumn[];
}

export const historyColumns = ['when', 'category', 'actor', 'summary', 'link'] as const;
export type HistoryColumn = (typeof historyColumns)[number];

/** Whatever is found there; what cannot be understood, and a table without any column, counts as no choice. */
export function readViewChoice(storage: () => Pick<Storage, 'getItem'>): ViewChoice {
  try {
    const found: unknown = JSON.parse(storage().getItem(name) ?? '');
    if (isViewChoice(found) && historyColumns.some((column) => !found.hidden.includes(column))) {
      return { view: found.view, hidden: [...new Set(found.hidden)] };
    }
  } catch {
    // No storage, or not JSON: as if there were none.
  }
  return { view: 'timeline', hidden: [] };
}

/** For the next visit, where the browser lets us. */
export function keepViewChoice(storage: () => Pick<Storage, 'setItem'>, choice: ViewChoice): void {
  try {
    storage().setItem(name, JSON.stringify(choice));
  } catch {
    // Without storage the choice holds until the page is left.
  }
}

const name = 'keyturn.history-view';

const isViewChoice = isObjectOf<ViewChoice>({
  view: isOneOf(['timeline', 'table']),
  hidden: isArrayOf(isOneOf(historyColumns)),
});
