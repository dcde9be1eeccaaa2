import { describe, expect, test } from 'vitest';
import { dayParts, formatDay, formatDayAndTime, formatTime, londonClock, londonDay } from './london-time.ts';

test('formats a day with its weekday, month and year in full', () => {
  expect(formatDay('2026-11-24')).toBe('Tuesday 24 November 2026');
  expect(formatDay('2028-02-29')).toBe('Tuesday 29 February 2028');
  expect(dayParts('2026-09-01')).toEqual({ weekday: 'Tuesday', date: '1', month: 'September', year: '2026' });
});

describe('times in London', () => {
  test.each([
    ['2026-11-21T14:00:00Z', '2:00 pm', '14:00'],
    ['2026-07-21T14:00:00Z', '3:00 pm', '15:00'],
    ['2026-11-21T00:05:00Z', '12:05 am', '00:05'],
    ['2026-11-21T12:00:00Z', '12:00 pm', '12:00'],
  ])('formats the instant %s in London time as %s and %s', (instant, time, clock) => {
    expect(formatTime(instant)).toBe(time);
    expect(londonClock(new Date(instant))).toBe(clock);
  });

  test('fault 49: agrees with the time zone database from 1996 to 2040, hour by hour around every change of the clocks', () => {
    const london = new Intl.DateTimeFormat('sv-SE', {
      timeZone: 'Europe/London',
      dateStyle: 'short',
      timeStyle: 'short',
    });
    const hour = 3_600_000;
    const instants = Array.from({ length: 45 }, (_, index) => 1996 + index).flatMap((year) =>
      [Date.UTC(year, 0), Date.UTC(year, 2, 25), Date.UTC(year, 6), Date.UTC(year, 9, 25)].flatMap((start) =>
        Array.from({ length: 8 * 24 }, (_, index) => new Date(start + index * hour)),
      ),
    );
    const different = instants.filter(
      (instant) => `${londonDay(instant)} ${londonClock(instant)}` !== london.format(instant),
    );
    expect(different).toEqual([]);
  });

  test('fault 49: half past one occurs twice on the night the clocks go back', () => {
    expect(formatTime('2026-10-25T00:30:00Z')).toBe('1:30 am');
    expect(formatTime('2026-10-25T01:30:00Z')).toBe('1:30 am');
    expect(formatTime('2026-10-25T02:30:00Z')).toBe('2:30 am');
  });

  test('fault 49: half past one is skipped on the night the clocks go forward', () => {
    expect(formatTime('2026-03-29T00:30:00Z')).toBe('12:30 am');
    expect(formatTime('2026-03-29T01:30:00Z')).toBe('2:30 am');
  });
});

test.each([
  ['2026-07-01T22:59:59Z', '2026-07-01'],
  ['2026-07-01T23:00:00Z', '2026-07-02'],
  ['2026-12-31T23:59:59Z', '2026-12-31'],
  ['2026-03-28T23:59:59Z', '2026-03-28'],
  ['2026-06-30T22:59:59Z', '2026-06-30'],
  ['2026-06-30T23:00:00Z', '2026-07-01'],
])('the London day of %s is %s', (instant, day) => {
  expect(londonDay(instant)).toBe(day);
  expect(londonDay(new Date(instant))).toBe(day);
});

test('fault 50: the London day of midnight on 1 January is 1 January', () => {
  expect(londonDay(new Date('2027-01-01T00:00:00Z'))).toBe('2027-01-01');
});

test('formats the day and the time of an instant in London', () => {
  expect(formatDayAndTime(new Date('2026-11-24T00:05:09Z'))).toBe('Tuesday 24 November 2026 at 12:05 am');
  expect(formatDayAndTime('2026-07-24T11:05:09Z')).toBe('Friday 24 July 2026 at 12:05 pm');
});
