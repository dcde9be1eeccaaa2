import { expect, it } from 'vitest';
import { findDayProblems } from './near-days.ts';

const now = new Date('2026-11-28T12:00:00Z');
const find = (
  list: 'matters' | 'searches' | 'tasks' | 'bills' | 'history',
  record: object,
  stored?: object,
) => findDayProblems(list, record, { now, readStored: () => stored })[0] ?? null;
const matter = (fields: object) => ({ status: 'active', milestones: [], ...fields });

it('accepts plans from two years ago to ten years ahead', () => {
  for (const day of ['2024-11-28', '2026-11-28', '2036-11-28'])
    expect(find('matters', matter({ target_completion_on: day }))).toBeNull();
  for (const day of ['2024-11-27', '2036-11-29', '1926-11-28'])
    expect(find('matters', matter({ target_completion_on: day }))?.place).toBe('/target_completion_on');
});

it('accepts what happened until tomorrow, because of time zones', () => {
  expect(find('history', { occurred_at: '2026-11-29T13:59:00+14:00' })).toBeNull();
  expect(find('history', { occurred_at: '2026-11-30T00:00:00Z' })?.reason).toBe(
    '30 November 2026 is in the future. Did you mean 30 November 2025?',
  );
  expect(find('matters', matter({ exchanged_on: '2019-05-04' }))).toBeNull();
});

it('suggests the year that was meant for a mistyped or swapped digit', () => {
  const reasonOf = (day: string) => find('tasks', { status: 'open', due_on: day })?.reason;
  expect(reasonOf('2062-12-18')).toContain('Did you mean 18 December 2026?');
  expect(reasonOf('2126-12-18')).toContain('Did you mean 18 December 2026?');
  expect(reasonOf('2016-12-18')).toContain('Did you mean 18 December 2026?');
  expect(reasonOf('1977-12-18')).toContain('Check the year.');
});

it('accepts old plans of cases, steps and searches that are over, and of bills', () => {
  expect(find('matters', matter({ status: 'completed', target_exchange_on: '2019-05-04' }))).toBeNull();
  const done = { key: 'instructed', status: 'done', expected_to: '2019-05-04' };
  expect(find('matters', matter({ milestones: [done] }))).toBeNull();
  expect(find('searches', { status: 'reviewed', expected_on: '2019-05-04' })).toBeNull();
  expect(find('bills', { status: 'issued', issued_on: '2019-05-04', due_on: '2019-06-04' })).toBeNull();
});

it('compares the validity of a result with the day it came back', () => {
  const result = { status: 'reviewed', returned_at: '2019-05-04T09:00:00Z' };
  expect(find('searches', { ...result, valid_until: '2019-11-04' })).toBeNull();
  expect(find('searches', { ...result, valid_until: '2009-11-04' })?.place).toBe('/valid_until');
});

it('accepts a day that is stored already, because time passes', () => {
  const stalled = matter({
    target_exchange_on: '2023-05-04',
    milestones: [{ key: 'searches', status: 'blocked', next_update_by: '2023-06-01' }],
  });
  expect(find('matters', stalled, stalled)).toBeNull();
  expect(find('matters', stalled)).not.toBeNull();
});

it('finds every unlikely day of a record', () => {
  const sent = matter({
    target_exchange_on: '1926-11-28',
    exchanged_on: '2027-11-28',
    milestones: [{ key: 'searches', status: 'current', expected_from: '1926-11-28' }],
  });
  const places = findDayProblems('matters', sent, { now, readStored: () => undefined }).map(
    ({ place }) => place,
  );
  expect(places).toEqual(['/target_exchange_on', '/exchanged_on', '/milestones/0/expected_from']);
});

it('rejects a ledger balance of a day in the future', () => {
  const sent = (on: string) => matter({ ledger: { client: 0, on } });
  expect(find('matters', sent('2027-11-18'))?.place).toBe('/ledger/on');
  expect(find('matters', sent('2026-11-18'))).toBeNull();
});

it('rejects a bill that was issued in the future, and accepts one that was issued long ago', () => {
  const bill = { status: 'issued', due_on: '2026-12-28' };
  expect(find('bills', { ...bill, issued_on: '2027-11-18' })).toMatchObject({
    place: '/issued_on',
    reason: expect.stringContaining('18 November 2027 is in the future. Did you mean'),
  });
  expect(find('bills', { ...bill, issued_on: '2019-05-04' })).toBeNull();
});
