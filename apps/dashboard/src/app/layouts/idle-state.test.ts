import { describe, expect, test } from 'vitest';
import { formatTimeLeft, idleState } from './idle-state.ts';

const minutes = (count: number) => count * 60_000;
const after = (idleFor: number, idleAfter = 1_800) => idleState({ lastAt: 0, now: idleFor, idleAfter });

describe('idleState', () => {
  test('a client counts as active until two minutes before the sign-in ends', () => {
    expect(after(0)).toEqual({ kind: 'active', recheckIn: minutes(30) - 75_000 - 120_000 });
    expect(after(minutes(26))).toMatchObject({ kind: 'active' });
  });

  test('warns the client, then signs them out before the server does', () => {
    expect(after(minutes(30) - 75_000 - 120_000)).toEqual({ kind: 'warned', remaining: 120_000 });
    expect(after(minutes(30) - 75_000 - 1_000)).toEqual({ kind: 'warned', remaining: 1_000 });
    expect(after(minutes(30) - 75_000)).toEqual({ kind: 'expired' });
  });

  test('warns the client early enough when the idle limit is short', () => {
    expect(after(0, 60)).toMatchObject({ kind: 'active' });
    expect(after(20_000, 60)).toMatchObject({ kind: 'warned' });
    expect(after(39_000, 60)).toEqual({ kind: 'expired' });
  });

  test('does not sign a client out after their clock was set back', () => {
    expect(idleState({ lastAt: 1_000_000, now: 0, idleAfter: 1_800 })).toMatchObject({ kind: 'active' });
  });
});

test.each([
  [120_000, '2 minutes'],
  [60_001, '2 minutes'],
  [60_000, '1 minute'],
  [59_001, '1 minute'],
  [30_000, '30 seconds'],
  [900, '1 second'],
])('formats %i ms as %s', (milliseconds, text) => {
  expect(formatTimeLeft(milliseconds)).toBe(text);
});
