import { isNumber, isObjectOf, isString } from '@keyturn/browser/checks/check.ts';

/*
 * The place in a list at which a member opened a row. It is stored in the list’s entry of the tab’s history, so that
 * going back restores it, and opening the list again starts at the top.
 */

interface Place {
  /** The label of the table. */
  list: string;
  /** The key of the row. */
  row: string;
  /** Pixels. */
  scrolled: number;
}

type TabHistory = Pick<History, 'state' | 'replaceState'>;

const hasPlace = isObjectOf<{ place: Place }>({
  place: isObjectOf<Place>({ list: isString, row: isString, scrolled: isNumber }),
});

/** Records that a row of a list is opened. */
export function rememberPlace(place: Place, tab: TabHistory = history): void {
  tab.replaceState({ ...tab.state, place }, '');
}

/** Returns the place in a list to which the member goes back; null for a list that is opened. */
export function placeInList(list: string, tab: TabHistory = history): Place | null {
  const { state } = tab;
  return hasPlace(state) && state.place.list === list ? state.place : null;
}

/** Whether the member goes back to a place in any list. */
export const returnsToPlace = (tab: TabHistory = history): boolean => hasPlace(tab.state);
