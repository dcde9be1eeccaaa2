import type { DeskSearch } from '@keyturn/contract/staff';
import { describe, expect, test } from 'vitest';
import { searchEdit, searchFields, searchState, searchSteps, storedSearch } from './search-edits.ts';

const search = (change: Partial<DeskSearch>) =>
  ({
    status: 'paid',
    outcome: null,
    money: null,
    delayed_reason: null,
    under_review: false,
    ...change,
  }) as DeskSearch;
const { values } = storedSearch(search({ price: { net: 4_600, vat_rate: 20, vat: 920, gross: 5_520 } }));
const beingPaid = { is_under_way: true } as NonNullable<DeskSearch['money']>;

test('an edit of a search removes what was emptied, and leaves out what was not changed', () => {
  expect(searchEdit({ name: 'Drainage', delayed_reason: '' }, 'v1', values)).toEqual({
    version: 'v1',
    changes: { name: 'Drainage', delayed_reason: null },
  });
});

test('an edit of a price sends all of it, and a price that cannot be read is not sent', () => {
  expect(searchEdit({ 'price.net': '50' }, 'v1', { ...values, 'price.net': '50' }).changes).toEqual({
    price: { net: 5_000, vat_rate: 20 },
  });
  expect(() => searchEdit({ 'price.net': 'cheap' }, 'v1', { ...values, 'price.net': 'cheap' })).toThrow(
    expect.objectContaining({ errors: { 'price.net': [expect.stringContaining('in pounds')] } }),
  );
});

test('the outcome and the validity of a reviewed search can be corrected', () => {
  const namesOf = (change: Partial<DeskSearch>) =>
    searchFields(search(change), values).map(({ name }) => name as string);
  expect(namesOf({ status: 'reviewed' })).toEqual(
    expect.arrayContaining(['outcome', 'outcome_summary', 'valid_until']),
  );
  expect(namesOf({ status: 'ordered' })).not.toContain('outcome');
  expect(searchEdit({ outcome: 'attention', valid_until: '2027-05-01' }, 'v1', values).changes).toEqual({
    outcome: 'attention',
    valid_until: '2027-05-01',
  });
  expect(searchEdit({ valid_until: '' }, 'v1', values).changes).toEqual({ valid_until: null });
});

test('the price of a search can be edited until a payment has started', () => {
  const hasPrice = (change: Partial<DeskSearch>) =>
    searchFields(search(change), values).some(({ name }) => name === 'price.net');
  expect(hasPrice({ status: 'awaiting_payment' })).toBe(true);
  expect(hasPrice({ status: 'awaiting_payment', money: beingPaid })).toBe(false);
  expect(hasPrice({ status: 'paid' })).toBe(false);
});

describe('the steps of a search', () => {
  test('the steps of a search follow its status', () => {
    expect(searchSteps(search({ status: 'awaiting_payment' }))).toEqual({
      canOrder: false,
      canReturn: false,
      canCancel: true,
      canAddAgain: false,
    });
    expect(searchSteps(search({}))).toEqual({
      canOrder: true,
      canReturn: false,
      canCancel: true,
      canAddAgain: false,
    });
    expect(searchSteps(search({ status: 'ordered' }))).toEqual({
      canOrder: false,
      canReturn: true,
      canCancel: true,
      canAddAgain: false,
    });
    expect(searchSteps(search({ status: 'reviewed' }))).toEqual({
      canOrder: false,
      canReturn: false,
      canCancel: false,
      canAddAgain: true,
    });
  });

  test('a search has no steps while a client is paying', () => {
    const steps = searchSteps(search({ status: 'awaiting_payment', money: beingPaid }));
    expect(steps).toEqual({ canOrder: false, canReturn: false, canCancel: false, canAddAgain: false });
  });
});

test('the state of a search names what staff have to do, or what they cannot change', () => {
  expect(searchState(search({})).name).toBe('Paid, ready to order');
  expect(searchState(search({ status: 'returned' })).name).toBe('Result received, to review');
  expect(searchState(search({ status: 'awaiting_payment', money: beingPaid })).name).toBe('Being paid');
  expect(searchState(search({ status: 'ordered', delayed_reason: 'The council' })).name).toBe('Delayed');
  expect(searchState(search({ status: 'reviewed', outcome: 'attention' })).name).toBe('Points to note');
  expect(searchState(search({ under_review: true })).name).toBe('Payment under review');
});
