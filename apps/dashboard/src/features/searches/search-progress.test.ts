import type { CaseSearch } from '@keyturn/contract';
import { describe, expect, test } from 'vitest';
import { caseSearchFixture } from '../../../fixtures/entities.ts';
import { payableFirst, searchCost, searchInSentence, searchStatus } from './search-progress.ts';

const today = '2026-11-21';
const payment = (status: NonNullable<CaseSearch['payment']>['status']) => ({
  payment: { id: 'payment', status },
});

describe('the words for a search', () => {
  const cases: [Partial<CaseSearch>, string][] = [
    [{ status: 'awaiting_payment' }, 'To pay'],
    [{ status: 'awaiting_payment', under_review: true }, 'We are looking at your payment'],
    [{ status: 'awaiting_payment', ...payment('processing') }, 'Your bank is confirming the payment'],
    [{ status: 'paid' }, 'Paid, being ordered'],
    [{ status: 'ordered' }, 'Ordered'],
    [{ status: 'ordered', expected_on: '2026-12-08' }, 'Ordered, expected 7–11 December'],
    [{ status: 'ordered', expected_on: '2026-11-20' }, 'Ordered, expected 16–20 November'],
    [{ status: 'ordered', expected_on: '2026-11-12' }, 'Ordered, later than expected'],
    [
      { status: 'ordered', expected_on: '2026-12-08', delayed_reason: 'the council is taking longer.' },
      'Delayed: the council is taking longer',
    ],
    [{ status: 'returned' }, 'Back, we are reading it'],
    [{ status: 'reviewed', outcome: 'clear' }, 'Clear'],
    [{ status: 'reviewed', outcome: 'attention' }, 'Points to note'],
    [{ status: 'reviewed' }, 'Back and read'],
    [{ status: 'cancelled' }, 'Cancelled'],
  ];

  test.each(cases)('%j: %s', (given, words) => {
    const at = given.expected_on === '2026-11-20' ? '2026-11-20' : today;
    expect(searchStatus(caseSearchFixture(given), at).words).toBe(words);
  });
});

describe('the money of a search', () => {
  test.each([
    [{}, '£276.00', 'including £46.00 VAT'],
    [{ price: { net: 25_00, vat_rate: 0, vat: 0, gross: 25_00 } }, '£25.00', 'no VAT'],
    [{ ...payment('processing') }, '£276.00', 'on its way'],
    [{ status: 'ordered', ...payment('succeeded') }, '£276.00', 'paid'],
    [{ status: 'reviewed', paid_at: '2026-11-16T09:00:00.000Z' }, '£276.00', 'paid'],
    [{ status: 'cancelled', ...payment('refunded') }, '£276.00', 'given back to you'],
    [{ status: 'reviewed', ...payment('partially_refunded') }, '£276.00', 'paid, part given back'],
    [{ status: 'ordered' }, '', 'nothing to pay'],
    [{ status: 'cancelled' }, '', null],
  ] satisfies [Partial<CaseSearch>, string, string | null][])('%j: %s %s', (given, amount, note) => {
    expect(searchCost(caseSearchFixture(given))).toEqual({ amount, note });
  });
});

test('what can be paid comes first, and the order of the rest stays', () => {
  const searches = ['a', 'b', 'c'].map((id) => caseSearchFixture({ id, payable: id === 'c' }));
  expect(searches.sort(payableFirst).map(({ id }) => id)).toEqual(['c', 'a', 'b']);
});

test.each([
  ['Local authority', 'the local authority search'],
  ['HS2 and rail', 'the HS2 and rail search'],
  ['Priority search', 'the priority search'],
  ['Research into mines', 'the research into mines search'],
])('%s stands in a sentence as %s', (name, words) => {
  expect(searchInSentence(name)).toBe(words);
});
