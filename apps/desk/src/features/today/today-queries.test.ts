import type { Today, TodayItem } from '@keyturn/contract/staff';
import { expect, test } from 'vitest';
import { withAllItems } from './today-queries.ts';

const item = (fields: Partial<TodayItem>) =>
  ({ due_on: null, since: '2026-11-20', case: { reference: 'KT-1' }, ...fields }) as never;

test('items of kinds that are new in a release are listed with the others, the most urgent first', () => {
  const today = {
    counts: { all: 4 },
    items: [item({ kind: 'bill_overdue', urgency: 'late' }), item({ kind: 'promise_due', urgency: 'today' })],
    added_items: [
      item({ kind: 'refund_failed', urgency: 'late', due_on: '2026-11-19' }),
      item({ kind: 'provider_review', urgency: 'soon' }),
    ],
  } as unknown as Today;
  const { items, ...others } = withAllItems(today);
  expect(items.map(({ kind }) => kind)).toEqual([
    'refund_failed',
    'bill_overdue',
    'promise_due',
    'provider_review',
  ]);
  expect(others).toEqual({ counts: { all: 4 } });
});

test('an answer of a server of the last release has one list', () => {
  const today = { items: [item({ kind: 'promise_due', urgency: 'today' })] } as unknown as Today;
  expect(withAllItems(today).items).toEqual(today.items);
});
