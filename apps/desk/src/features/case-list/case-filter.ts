import { matterTypes, milestoneActors } from '@keyturn/contract';
import {
  type CaseFilter,
  type CaseStatusFilter,
  caseSorts,
  caseStatusFilters,
  promiseFilters,
} from '@keyturn/contract/staff';
import { caseStatusNames } from '../../api/case-status-names.ts';
import type { Sort } from '../../ui/table/table.tsx';

/** The filter of the list without any choice. */
export const usualFilter = { status: 'open', sort: 'promise' } as const satisfies CaseFilter;

/** In an address: cases of every status. */
const everyStatus = 'all';

const maxLengths = { q: 100, handler: 320, step: 100 } as const;

/** Reads the filter from an address. Values that are not a choice are left out. */
export function filterFrom(search: URLSearchParams): CaseFilter {
  const textOf = (name: keyof typeof maxLengths) => {
    const value = search.get(name)?.slice(0, maxLengths[name]);
    return value ? { [name]: value } : {};
  };
  const choiceOf = <Choice extends string>(name: string, choices: readonly Choice[]) => {
    const value = choices.find((choice) => choice === search.get(name));
    return value ? { [name]: value } : {};
  };
  const { status, ...withoutStatus } = usualFilter;
  return {
    ...withoutStatus,
    ...(search.get('status') === everyStatus ? {} : { status }),
    ...textOf('q'),
    ...textOf('handler'),
    ...textOf('step'),
    ...choiceOf('matter_type', matterTypes),
    ...choiceOf('status', caseStatusFilters),
    ...choiceOf('promise', promiseFilters),
    ...choiceOf('waiting_on', milestoneActors),
    ...choiceOf('sort', caseSorts),
  };
}

/** Writes a filter as the query of an address, without default values. */
export function toSearch(filter: CaseFilter): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...filter, status: filter.status ?? everyStatus }))
    if (value && value !== usualFilter[name as keyof typeof usualFilter]) search.set(name, value);
  return search.toString();
}

/** Whether two filters list the same cases in the same order. */
export const isSameFilter = (one: CaseFilter, other: CaseFilter): boolean =>
  toSearch(one) === toSearch(other);

export const statusNames: Record<CaseStatusFilter, string> = {
  open: 'Open',
  ...caseStatusNames,
};

/** The column and direction of an order. */
export const toTableSort = (sort: CaseFilter['sort'] = usualFilter.sort): Sort => ({
  key: sort.replace('-', ''),
  direction: sort.startsWith('-') ? 'descending' : 'ascending',
});

/** The order of a column; promises are always listed earliest first. */
export const fromTableSort = ({ key, direction }: Sort): NonNullable<CaseFilter['sort']> =>
  caseSorts.find((sort) => sort === (direction === 'descending' ? `-${key}` : key)) ?? usualFilter.sort;
