import { describe, expect, test } from 'vitest';
import { londonDay, parseLondonTime } from './london-time.ts';

const now = new Date('2026-11-21T12:00:00Z');

describe('a moment as people in London write it', () => {
  test.each([
    ['14:30', '2026-11-21T14:30:00.000Z'],
    ['09:00', '2026-11-22T09:00:00.000Z'],
    ['2026-11-24 14:30', '2026-11-24T14:30:00.000Z'],
    ['2026-07-01 14:30', '2026-07-01T13:30:00.000Z'],
    ['2026-10-25T01:30', '2026-10-25T00:30:00.000Z'],
    ['2026-10-25 02:30', '2026-10-25T02:30:00.000Z'],
    ['2026-07-01T14:30:00+02:00', '2026-07-01T12:30:00.000Z'],
    ['2026-11-24T14:30:00Z', '2026-11-24T14:30:00.000Z'],
  ])('%s is %s', (text, instant) => {
    expect(parseLondonTime(text, now)?.toISOString()).toBe(instant);
  });

  test.each(['2026-03-29 01:30', '24:00', '2pm', '', 'tomorrow', '2026-02-30 10:00', '2026-13-01T10:00:00Z'])(
    '%j is none',
    (text) => {
      expect(parseLondonTime(text, now)).toBeNull();
    },
  );
});

test.each([
  ['2026-03-28T23:59:59Z', '2026-03-28'],
  ['2026-06-30T22:59:59Z', '2026-06-30'],
  ['2026-06-30T23:00:00Z', '2026-07-01'],
  ['2026-12-31T23:59:59Z', '2026-12-31'],
])('at %s it is %s in London', (instant, day) => {
  expect(londonDay(new Date(instant))).toBe(day);
});
