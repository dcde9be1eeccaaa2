import type { CaseSearch } from '@keyturn/contract';
import { expect, test } from 'vitest';
import { caseFixture, caseSearchFixture } from '../../../fixtures/entities.ts';
import {
  isSearchSettled,
  payableFirst,
  searchCost,
  searchInSentence,
  searchStatus,
  settledHeading,
  settledText,
} from './search-progress.ts';

const today = '2026-11-21';
type SearchPayment = NonNullable<CaseSearch['payment']>;
const payment = (
  status: SearchPayment['status'],
  dispute?: NonNullable<SearchPayment['dispute']>['status'],
) => ({
  payment: { id: 'payment', status, payer: null, dispute: dispute ? { status: dispute } : null },
});
const paidBySomeoneElse = (done_at: string | null) => ({
  payment: {
    id: 'payment',
    status: 'succeeded' as const,
    payer: null,
    dispute: null,
    payer_check: { done_at },
  },
});
const paidToday = { status: 'paid', paid_at: '2026-11-21T23:44:00.000Z' } as const;

const statusCases: [Partial<CaseSearch>, string][] = [
  [{ status: 'awaiting_payment' }, 'To pay'],
  [{ status: 'awaiting_payment', under_review: true }, 'We’re reviewing your payment'],
  [{ status: 'awaiting_payment', ...payment('processing') }, 'Your bank is confirming the payment'],
  [{ status: 'paid' }, 'Paid, not ordered yet'],
  [{ status: 'paid', paid_at: '2026-11-21T23:44:00.000Z' }, 'Paid, due to be ordered on Monday 23 November'],
  [{ status: 'paid', paid_at: '2026-11-19T10:00:00.000Z' }, 'Paid, not ordered yet'],
  [{ status: 'paid', paid_at: '2026-11-21T23:44:00.000Z', ...payment('refunded') }, 'Refunded, not ordered'],
  [{ ...paidToday, ...payment('succeeded', 'inquiry') }, 'Paid, queried by the card’s bank'],
  [{ ...paidToday, ...payment('succeeded', 'open') }, 'Paid, disputed with the card’s bank'],
  [{ ...paidToday, ...payment('succeeded', 'lost') }, 'Paid, reversed by the card’s bank'],
  [{ ...paidToday, ...payment('succeeded', 'won') }, 'Paid, due to be ordered on Monday 23 November'],
  [{ ...paidToday, ...paidBySomeoneElse(null) }, 'Paid by someone else, which we check first'],
  [
    { ...paidToday, ...paidBySomeoneElse('2026-11-23T10:00:00.000Z') },
    'Paid, due to be ordered on Monday 23 November',
  ],
  [{ status: 'ordered', ...payment('succeeded', 'open') }, 'Ordered'],
  [{ status: 'ordered' }, 'Ordered'],
  [{ status: 'ordered', expected_on: '2026-12-08' }, 'Ordered, expected 7–11 December'],
  [{ status: 'ordered', expected_on: '2026-11-20' }, 'Ordered, expected 16–20 November'],
  [{ status: 'ordered', expected_on: '2026-11-12' }, 'Ordered, later than expected'],
  [
    { status: 'ordered', expected_on: '2026-12-08', delayed_reason: 'the council is taking longer.' },
    'Delayed: the council is taking longer',
  ],
  [{ status: 'returned' }, 'Result received, we’re checking it'],
  [{ status: 'reviewed', outcome: 'clear' }, 'Clear'],
  [{ status: 'reviewed', outcome: 'attention' }, 'Points to note'],
  [{ status: 'reviewed' }, 'Checked'],
  [{ status: 'cancelled' }, 'Cancelled'],
];

test.each(statusCases)('gives a search with %j the status "%s"', (given, label) => {
  const day = given.expected_on === '2026-11-20' ? '2026-11-20' : today;
  expect(searchStatus(caseSearchFixture(given), day, caseFixture().firm).label).toBe(label);
});

test.each([
  [{}, '£276.00', 'including £46.00 VAT'],
  [{ price: { net: 25_00, vat_rate: 0, vat: 0, gross: 25_00 } }, '£25.00', 'no VAT'],
  [{ ...payment('processing') }, '£276.00', 'payment in progress'],
  [{ status: 'ordered', ...payment('succeeded', 'inquiry') }, '£276.00', 'queried'],
  [{ status: 'ordered', ...payment('succeeded', 'open') }, '£276.00', 'disputed'],
  [{ status: 'paid', ...payment('succeeded', 'lost') }, '£276.00', 'reversed'],
  [{ status: 'ordered', ...payment('succeeded', 'won') }, '£276.00', 'paid'],
  [{ status: 'ordered', ...payment('succeeded') }, '£276.00', 'paid'],
  [{ status: 'reviewed', paid_at: '2026-11-16T09:00:00.000Z' }, '£276.00', 'paid'],
  [{ status: 'cancelled', ...payment('refunded') }, '£276.00', 'refunded'],
  [{ status: 'reviewed', ...payment('partially_refunded') }, '£276.00', 'partly refunded'],
  [{ status: 'ordered' }, '', 'nothing to pay'],
  [{ status: 'cancelled' }, '', null],
] satisfies [Partial<CaseSearch>, string, string | null][])(
  'shows the cost of a search with %j as %s, %s',
  (given, amount, note) => {
    expect(searchCost(caseSearchFixture(given), { vat_number: 'GB 123 4567 89' })).toEqual({ amount, note });
  },
);

test('says nothing about VAT if the firm has no VAT number', () => {
  expect(searchCost(caseSearchFixture(), { vat_number: null })).toEqual({ amount: '£276.00', note: null });
});

test('sorts payable searches first and keeps the order of the others', () => {
  const searches = ['a', 'b', 'c'].map((id) => caseSearchFixture({ id, payable: id === 'c' }));
  expect(searches.sort(payableFirst).map(({ id }) => id)).toEqual(['c', 'a', 'b']);
});

test.each([
  ['Local authority', 'the local authority search'],
  ['HS2 and rail', 'the HS2 and rail search'],
  ['Priority search', 'the priority search'],
  ['Research into mines', 'the research into mines search'],
])('names the search "%s" in a sentence as "%s"', (name, text) => {
  expect(searchInSentence(name)).toBe(text);
});

test('counts a search as settled once it needs nothing more, but not while its payment is under review', () => {
  expect(isSearchSettled(caseSearchFixture({ status: 'reviewed' }))).toBe(true);
  expect(isSearchSettled(caseSearchFixture({ status: 'cancelled' }))).toBe(true);
  expect(isSearchSettled(caseSearchFixture({ status: 'returned' }))).toBe(false);
  expect(isSearchSettled(caseSearchFixture({ status: 'reviewed', under_review: true }))).toBe(false);
});

test('counts settled searches by their result', () => {
  const clear = caseSearchFixture({ status: 'reviewed', outcome: 'clear' });
  const attention = caseSearchFixture({ status: 'reviewed', outcome: 'attention' });
  const cancelled = caseSearchFixture({ status: 'cancelled', outcome: 'clear' });
  expect([[clear], [clear, cancelled], [cancelled]].map(settledHeading)).toEqual([
    '1 search done',
    '2 searches done',
    '1 search cancelled',
  ]);
  expect(settledText([clear, attention, clear])).toBe('2 clear, 1 with points to note');
  expect(settledText([caseSearchFixture({ status: 'reviewed' }), cancelled])).toBe('1 checked, 1 cancelled');
});
