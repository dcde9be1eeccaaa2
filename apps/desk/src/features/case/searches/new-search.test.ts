import type { CatalogueSearch, DeskSearch } from '@keyturn/contract/staff';
import { describe, expect, test } from 'vitest';
import {
  catalogueOptions,
  copiedSearch,
  giftHint,
  noSearch,
  proposedSearch,
  sameOnMatter,
  toNewSearch,
} from './new-search.ts';

const entry: CatalogueSearch = {
  code: 'CON29DW',
  name: 'Drainage and water search',
  supplier: null,
  explanation: 'Your water supply and drainage.',
  net: 4_605,
  vat_rate: 17.5,
  refund_rule: 'Full refund until we order it.',
  required_by: 'lender',
  usual_working_days: null,
};
const faultsOf = (values: typeof noSearch) => {
  try {
    toNewSearch(values);
    return null;
  } catch (error) {
    return Object.keys((error as { errors: object }).errors);
  }
};

describe('a search that is added from the catalogue', () => {
  const proposed = proposedSearch(entry, { status: 'awaiting_payment', pay_by: '2026-11-27' });

  test('a search from the catalogue has its price and texts, and keeps how it is paid', () => {
    const { usual_working_days: _usual, net, vat_rate, ...texts } = entry;
    expect(toNewSearch({ ...proposed, supplier: ' The water company ' })).toEqual({
      ...texts,
      supplier: 'The water company',
      price: { net, vat_rate },
      status: 'awaiting_payment',
      pay_by: '2026-11-27',
    });
  });

  test('a search is not added before it is chosen and has a supplier and a price to pay', () => {
    expect(faultsOf(noSearch)).toEqual(['code']);
    expect(faultsOf(proposed)).toEqual(['supplier']);
    const filled = { ...proposed, supplier: 'The water company' };
    expect(faultsOf({ ...filled, 'price.net': 'cheap', 'price.vat_rate': '101' })).toEqual([
      'price.net',
      'price.vat_rate',
    ]);
    expect(faultsOf({ ...filled, 'price.net': '0' })).toEqual(['price.net']);
    expect(faultsOf({ ...filled, 'price.net': '0', status: 'paid' })).toBeNull();
  });

  test('a search that clients do not pay for here is added without a day to pay by', () => {
    const filled = { ...proposed, supplier: 'The water company', status: 'paid' };
    expect(toNewSearch(filled)).not.toHaveProperty('pay_by');
  });

  test('the catalogue offers each search with the price that clients pay', () => {
    expect(catalogueOptions([entry]).map(({ name }) => name)).toEqual([
      'Choose a search',
      'Drainage and water search, £54.11',
    ]);
  });

  test('adding a search points out one of the same kind on the matter that is not cancelled', () => {
    const existing = { code: 'CON29DW', name: 'Drainage' } as const;
    expect(sameOnMatter('CON29DW', [{ ...existing, status: 'cancelled' }])).toBeUndefined();
    expect(sameOnMatter('CON29DW', [{ ...existing, status: 'paid' }])).toContain('Drainage');
  });
});

test('a search that is added again has the price and texts of the earlier one', () => {
  const { net, usual_working_days: _usual, ...texts } = entry;
  const search = {
    ...texts,
    supplier: 'The water company',
    price: { net, vat_rate: 17.5 },
    status: 'reviewed',
  };
  expect(toNewSearch(copiedSearch(search as unknown as DeskSearch))).toMatchObject({
    name: entry.name,
    supplier: 'The water company',
    price: { net, vat_rate: 17.5 },
    status: 'awaiting_payment',
  });
});

test('a priority search for a transfer of equity is for a transaction for value only', () => {
  expect(giftHint('OS1', 'transfer-of-equity')).toContain('Not for a gift');
  expect(giftHint('OS1', 'purchase')).toBeUndefined();
  expect(giftHint('K16', 'transfer-of-equity')).toBeUndefined();
});
