import { describe, expect, test } from 'vitest';
import { createCalendar, moveDates } from './calendar.ts';

describe('createCalendar', () => {
  test('the demonstration’s calendar takes the last working day before the day of loading as today', () => {
    const todayWhenLoadedOn = (day: string) => createCalendar(day).day('2026-11-20');
    expect(todayWhenLoadedOn('2026-11-21')).toBe('2026-11-20');
    expect(todayWhenLoadedOn('2026-11-23')).toBe('2026-11-20');
    // Easter Monday is on 29 March 2027.
    expect(todayWhenLoadedOn('2027-03-30')).toBe('2027-03-25');
  });

  test('the demonstration’s calendar keeps the number of working days to today, around weekends and bank holidays', () => {
    const { day } = createCalendar('2027-12-24');
    expect([day('2026-11-20'), day('2026-11-23'), day('2026-11-24'), day('2026-11-25')]).toEqual([
      '2027-12-23',
      '2027-12-24',
      '2027-12-29',
      '2027-12-30',
    ]);
    expect([day('2026-11-19'), day('2026-11-16'), day('2026-11-13')]).toEqual([
      '2027-12-22',
      '2027-12-17',
      '2027-12-16',
    ]);
  });

  test('the demonstration’s calendar keeps the time of day in London across clock changes', () => {
    const summer = createCalendar('2027-07-02');
    expect(summer.instant('2026-11-20T09:12:34Z')).toBe('2027-07-01T08:12:34Z');
    expect(summer.instant('2026-10-21T08:00:00Z')).toBe('2027-06-01T08:00:00Z');
    expect(createCalendar('2027-12-02').instant('2026-10-21T08:00:00Z')).toBe('2027-11-01T09:00:00Z');
  });
});

test('moveDates moves days, instants and the days within texts', () => {
  const moved = moveDates(
    {
      on: '2026-11-20',
      at: ['2026-11-20T09:12:00Z'],
      text: 'on {2026-11-20}, not {Friday 2026-11-20}',
      old: 'since 12 June 2017',
      price: 3,
      none: null,
    },
    createCalendar('2027-02-02'),
  );
  expect(moved).toEqual({
    on: '2027-02-01',
    at: ['2027-02-01T09:12:00Z'],
    text: 'on 1 February 2027, not Monday 1 February 2027',
    old: 'since 12 June 2017',
    price: 3,
    none: null,
  });
});
