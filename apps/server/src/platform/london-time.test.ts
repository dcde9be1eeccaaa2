import { expect, test } from 'vitest';
import { formatLondonMoment, formatLondonTime, parseLondonTime, startOfLondonDay } from './london-time.ts';

const now = new Date('2026-11-21T12:00:00Z');

test.each([
  ['14:30', '2026-11-21T14:30:00.000Z'],
  ['09:00', '2026-11-22T09:00:00.000Z'],
  ['2026-11-24 14:30', '2026-11-24T14:30:00.000Z'],
  ['2026-07-01 14:30', '2026-07-01T13:30:00.000Z'],
  ['2026-10-25T01:30', '2026-10-25T00:30:00.000Z'],
  ['2026-10-25 02:30', '2026-10-25T02:30:00.000Z'],
  ['2026-07-01T14:30:00+02:00', '2026-07-01T12:30:00.000Z'],
  ['2026-11-24T14:30:00Z', '2026-11-24T14:30:00.000Z'],
])('parses the London time %s as %s', (text, instant) => {
  expect(parseLondonTime(text, now)?.toISOString()).toBe(instant);
});

test('a time without a day that has passed is the one of the next day, also on the day of 25 hours', () => {
  const halfPastMidnight = new Date('2026-10-24T23:30:00Z');
  expect(parseLondonTime('00:15', halfPastMidnight)?.toISOString()).toBe('2026-10-26T00:15:00.000Z');
});

test.each([
  ['2026-01-14', '2026-01-14T00:00:00.000Z'],
  ['2026-03-29', '2026-03-29T00:00:00.000Z'],
  ['2026-03-30', '2026-03-29T23:00:00.000Z'],
  ['2026-10-25', '2026-10-24T23:00:00.000Z'],
  ['2026-10-26', '2026-10-26T00:00:00.000Z'],
])('the day %s starts in London at %s', (day, start) => {
  expect(startOfLondonDay(day).toISOString()).toBe(start);
});

test.each(['2026-03-29 01:30', '24:00', '2pm', '', 'tomorrow', '2026-02-30 10:00', '2026-13-01T10:00:00Z'])(
  'rejects %j as a London time',
  (text) => {
    expect(parseLondonTime(text, now)).toBeNull();
  },
);

test('formats an instant in London time for commands and for screens', () => {
  const instant = new Date('2026-07-01T13:00:00Z');
  expect(formatLondonTime(instant)).toBe('2026-07-01 14:00');
  expect(formatLondonMoment(instant)).toBe('2:00 pm on Wednesday 1 July 2026');
});
