import type { CaseFilter } from '@keyturn/contract/staff';
import { expect, test } from 'vitest';
import { filterFrom, fromTableSort, isSameFilter, toSearch, toTableSort } from './case-filter.ts';

const again = (filter: CaseFilter) => filterFrom(new URLSearchParams(toSearch(filter)));

test('an address without a query lists open cases, the earliest promise first', () => {
  expect(filterFrom(new URLSearchParams())).toEqual({ status: 'open', sort: 'promise' });
  expect(toSearch({ status: 'open', sort: 'promise' })).toBe('');
});

test.each<CaseFilter>([
  { q: 'O’Brien & Sons #1', status: 'open', sort: 'promise' },
  { status: 'completed', sort: '-reference', handler: 'rhian.morgan@example.test' },
  {
    status: 'open',
    promise: 'missed',
    waiting_on: 'us',
    matter_type: 'sale',
    step: 'exchanged',
    sort: 'promise',
  },
])('an address keeps the filter %j', (filter) => {
  expect(again(filter)).toEqual(filter);
});

test('an address keeps the choice to list cases of every status', () => {
  const { status, ...filter } = again({ sort: 'promise' });
  expect(status).toBeUndefined();
  expect(filter).toEqual({ sort: 'promise' });
  expect(toSearch({})).toBe('status=all');
});

test('a case filter leaves out values that are not choices, and cuts long texts', () => {
  const search = new URLSearchParams({ status: 'x', sort: 'price', matter_type: '%', q: 'a'.repeat(200) });
  expect(filterFrom(search)).toEqual({ status: 'open', sort: 'promise', q: 'a'.repeat(100) });
});

test('the order of the list of cases is converted to that of its table, and back', () => {
  expect(toTableSort('-last_update')).toEqual({ key: 'last_update', direction: 'descending' });
  expect(fromTableSort(toTableSort('-last_update'))).toBe('-last_update');
  expect(fromTableSort({ key: 'promise', direction: 'descending' })).toBe('promise');
});

test('two case filters are the same regardless of the order of their fields', () => {
  expect(isSameFilter({ q: 'a', status: 'open' }, { status: 'open', q: 'a', sort: 'promise' })).toBe(true);
  expect(isSameFilter({ q: 'a' }, { q: 'a', status: 'open' })).toBe(false);
});
