import { isArrayOf, isObjectOf, isString } from '@keyturn/browser/checks/check.ts';

/*
 * The list that a member works through. A page that lists cases remembers them in their order and links to each with
 * `?list=NAME`; the page of a case then knows which one comes next.
 */

type TabStorage = () => Pick<Storage, 'getItem' | 'setItem'>;

const keyOf = (name: string) => `keyturn-desk.list.${name}`;
const maxCases = 500;

const isList = isObjectOf<{ memberId: string; caseIds: string[] }>({
  memberId: isString,
  caseIds: isArrayOf(isString),
});

/**
 * Remembers the cases of a list in this tab, in their order.
 * @param name as in `?list=`: “today” or “cases”
 * @param caseIds may name a case several times
 */
export function rememberCaseList(
  name: string,
  { memberId, caseIds }: { memberId: string; caseIds: readonly string[] },
  storage: TabStorage = () => sessionStorage,
): void {
  try {
    const unique = [...new Set(caseIds)].slice(0, maxCases);
    storage().setItem(keyOf(name), JSON.stringify({ memberId, caseIds: unique }));
  } catch {
    // Without storage, the page of a case offers no next case.
  }
}

/** The address of a case that was opened from a list, below `/desk`. */
export const caseInList = (caseId: string, listName: string): string =>
  `/cases/${caseId}?list=${encodeURIComponent(listName)}`;

/**
 * Finds the case that comes after this one in the list.
 * @returns null at the end of the list, and for a list that this tab or member does not have
 */
export function findNextCase(
  name: string | null,
  { memberId, caseId }: { memberId: string; caseId: string },
  storage: TabStorage = () => sessionStorage,
): string | null {
  const list = name === null ? null : readList(name, storage);
  if (list?.memberId !== memberId) return null;
  const position = list.caseIds.indexOf(caseId);
  return position < 0 ? null : (list.caseIds[position + 1] ?? null);
}

function readList(name: string, storage: TabStorage) {
  try {
    const found: unknown = JSON.parse(storage().getItem(keyOf(name)) ?? 'null');
    return isList(found) ? found : null;
  } catch {
    return null;
  }
}
