import type { DeskSearch } from '@keyturn/contract/staff';
import { describe, expect, test } from 'vitest';
import { searchEdit, searchState, searchSteps } from './search-edits.ts';

const search = (change: Partial<DeskSearch>) =>
  ({
    status: 'paid',
    outcome: null,
    money: null,
    delayed_reason: null,
    under_review: false,
    ...change,
  }) as DeskSearch;
const beingPaid = { is_under_way: true } as NonNullable<DeskSearch['money']>;

test('an edit of a search removes what was emptied, and leaves out what was not changed', () => {
  expect(searchEdit({ name: 'Drainage', delayed_reason: '' }, 'v1')).toEqual({
    version: 'v1',
    changes: { name: 'Drainage', delayed_reason: null },
  });
});

describe('the steps of a search', () => {
  test('follow its status', () => {
    expect(searchSteps(search({ status: 'awaiting_payment' }))).toEqual({
      canOrder: false,
      canReturn: false,
      canCancel: true,
    });
    expect(searchSteps(search({}))).toEqual({ canOrder: true, canReturn: false, canCancel: true });
    expect(searchSteps(search({ status: 'ordered' }))).toEqual({
      canOrder: false,
      canReturn: true,
      canCancel: true,
    });
    expect(searchSteps(search({ status: 'reviewed' }))).toEqual({
      canOrder: false,
      canReturn: false,
      canCancel: false,
    });
  });

  test('are none while a client is paying', () => {
    const steps = searchSteps(search({ status: 'awaiting_payment', money: beingPaid }));
    expect(steps).toEqual({ canOrder: false, canReturn: false, canCancel: false });
  });
});

test('the state of a search names what staff have to do, or what they cannot change', () => {
  expect(searchState(search({})).name).toBe('Paid, to order');
  expect(searchState(search({ status: 'returned' })).name).toBe('Back, to review');
  expect(searchState(search({ status: 'awaiting_payment', money: beingPaid })).name).toBe('Being paid');
  expect(searchState(search({ status: 'ordered', delayed_reason: 'The council' })).name).toBe('Delayed');
  expect(searchState(search({ status: 'reviewed', outcome: 'attention' })).name).toBe('Points to note');
  expect(searchState(search({ under_review: true })).name).toBe('Payment under review');
});
