import { isArrayOf, isObjectOf, isOneOf } from '@keyturn/browser/checks/check.ts';

/** How the client prefers to see the history, stored in this browser. */
export interface ViewPreference {
  view: 'timeline' | 'table';
  /** Hidden columns of the table. */
  hidden: HistoryColumn[];
}

export const historyColumns = ['when', 'category', 'actor', 'summary', 'link'] as const;
export type HistoryColumn = (typeof historyColumns)[number];

/** Returns the stored preference, or the default when it is missing, invalid or hides every column. */
export function readViewPreference(storage: () => Pick<Storage, 'getItem'>): ViewPreference {
  try {
    const stored: unknown = JSON.parse(storage().getItem(storageKey) ?? '');
    if (isViewPreference(stored) && historyColumns.some((column) => !stored.hidden.includes(column))) {
      return { view: stored.view, hidden: [...new Set(stored.hidden)] };
    }
  } catch {
    // Without storage or valid JSON, the default applies.
  }
  return { view: 'timeline', hidden: [] };
}

/** Stores the preference for the next visit, where the browser allows it. */
export function saveViewPreference(
  storage: () => Pick<Storage, 'setItem'>,
  preference: ViewPreference,
): void {
  try {
    storage().setItem(storageKey, JSON.stringify(preference));
  } catch {
    // Without storage, the preference lasts until the client leaves the page.
  }
}

const storageKey = 'keyturn.history-view';

const isViewPreference = isObjectOf<ViewPreference>({
  view: isOneOf(['timeline', 'table']),
  hidden: isArrayOf(isOneOf(historyColumns)),
});
