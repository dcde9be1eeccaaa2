import { describe, expect, test } from 'vitest';
import {
  formatDayRange,
  formatEnd,
  formatEntryMoment,
  formatFullMoment,
  formatMoment,
  formatMonthRange,
  formatPastDay,
  formatShortDay,
  formatShortDayOf,
  formatShortMoment,
  formatShortNearDay,
  workingWeekOf,
} from './dates.ts';
import { addDays, formatNearDay } from './london-time.ts';

const today = '2026-11-21';

describe('formatting days', () => {
  test('shortens every month to three letters, including September', () => {
    expect(formatShortDay('2026-11-24')).toBe('24 Nov 2026');
    expect(formatShortDay('2026-09-01')).toBe('1 Sep 2026');
  });

  test('leaves out the year of a day only in the current year', () => {
    expect(formatNearDay('2026-11-19', today)).toBe('Thursday 19 November');
    expect(formatNearDay('2027-01-04', today)).toBe('Monday 4 January 2027');
  });
});

describe('formatting ranges of days', () => {
  test.each([
    ['2026-12-02', '2026-12-08', '2–8 December'],
    ['2026-11-28', '2026-12-04', '28 November – 4 December'],
    ['2026-12-28', '2027-01-04', '28 December – 4 January 2027'],
    ['2027-02-02', '2027-02-08', '2–8 February 2027'],
    ['2027-12-28', '2028-01-04', '28 December 2027 – 4 January 2028'],
    ['2026-12-02', '2026-12-02', '2 December'],
  ])('formats the days %s to %s as %s', (from, to, text) => {
    expect(formatDayRange(from, to, today)).toBe(text);
  });

  test('shows an estimated day as its working week, and a day at a weekend as the week after', () => {
    expect(workingWeekOf('2026-12-08')).toEqual({ from: '2026-12-07', to: '2026-12-11' });
    expect(workingWeekOf('2026-12-07')).toEqual({ from: '2026-12-07', to: '2026-12-11' });
    expect(workingWeekOf('2026-12-12')).toEqual({ from: '2026-12-14', to: '2026-12-18' });
    expect(workingWeekOf('2026-12-13')).toEqual({ from: '2026-12-14', to: '2026-12-18' });
  });
});

test('adds calendar days across a clock change', () => {
  expect(addDays('2026-03-28', 2)).toBe('2026-03-30');
  expect(addDays('2026-10-24', 2)).toBe('2026-10-26');
  expect(addDays('2027-01-01', -1)).toBe('2026-12-31');
});

describe('formatting instants', () => {
  test.each([
    ['2026-11-21T09:12:00Z', 'today at 9:12 am', 'Today, 9:12 am'],
    ['2026-11-20T16:05:00Z', 'yesterday at 4:05 pm', 'Yesterday, 4:05 pm'],
    ['2026-11-19T09:00:00Z', 'on 19 November', '19 Nov'],
    ['2025-12-26T09:00:00Z', 'on 26 December 2025', '26 Dec 2025'],
    ['2026-11-21T00:10:00Z', 'today at 12:10 am', 'Today, 12:10 am'],
  ])('formats the instant %s as "%s"', (instant, text, entry) => {
    expect(formatMoment(instant, today)).toBe(text);
    expect(formatEntryMoment(instant, today)).toBe(entry);
  });
});

test('formats days and instants for columns and records', () => {
  expect(formatShortNearDay('2026-09-19', today)).toBe('19 Sep');
  expect(formatShortNearDay('2025-09-19', today)).toBe('19 Sep 2025');
  // In London, a summer day starts an hour before the day in UTC.
  expect(formatShortDayOf('2026-07-18T23:30:00Z')).toBe('19 Jul 2026');
  expect(formatShortMoment('2026-11-19T09:12:00Z')).toBe('19 Nov 2026, 9:12 am');
  expect(formatFullMoment('2026-11-19T09:12:00Z')).toBe('Thursday 19 November 2026, 9:12 am');
});

test('formats an end today by its time, and a later one with its day', () => {
  expect(formatEnd('2026-11-21T17:30:00Z', today)).toBe('5:30 pm today');
  expect(formatEnd('2026-11-22T08:00:00Z', today)).toBe('8:00 am on Sunday 22 November 2026');
});

test('formats a past day by its weekday for a week, then with its date', () => {
  const past = (day: string) => formatPastDay(day, '2026-11-21');
  expect([past('2026-11-20'), past('2026-11-15'), past('2026-11-14'), past('2025-11-20')]).toEqual([
    'Friday',
    'Sunday',
    'Saturday 14 November',
    'Thursday 20 November 2025',
  ]);
});

test('formats the months of a range of days', () => {
  expect([
    formatMonthRange('2027-03-02', '2027-03-28'),
    formatMonthRange('2027-01-28', '2027-04-08'),
    formatMonthRange('2026-12-17', '2027-01-28'),
  ]).toEqual(['March 2027', 'January to April 2027', 'December 2026 to January 2027']);
});
