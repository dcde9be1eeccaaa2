import { describe, expect, test } from 'vitest';
import { idleState, timeLeft } from './idle-state.ts';

const minutes = (count: number) => count * 60_000;
const after = (away: number, idleAfter = 1_800) => idleState({ lastAt: 0, now: away, idleAfter });

describe('a client who does nothing for a while', () => {
  test('is here until two minutes before the sign-in ends', () => {
    expect(after(0)).toEqual({ kind: 'here', lookAgainIn: minutes(30) - 75_000 - 120_000 });
    expect(after(minutes(26))).toMatchObject({ kind: 'here' });
  });

  test('is warned, and signed out before the server does it', () => {
    expect(after(minutes(30) - 75_000 - 120_000)).toEqual({ kind: 'warned', left: 120_000 });
    expect(after(minutes(30) - 75_000 - 1_000)).toEqual({ kind: 'warned', left: 1_000 });
    expect(after(minutes(30) - 75_000)).toEqual({ kind: 'over' });
  });

  test('is warned in good time where the limit is short', () => {
    expect(after(0, 60)).toMatchObject({ kind: 'here' });
    expect(after(20_000, 60)).toMatchObject({ kind: 'warned' });
    expect(after(39_000, 60)).toEqual({ kind: 'over' });
  });

  test('is not signed out by a clock that was set back', () => {
    expect(idleState({ lastAt: 1_000_000, now: 0, idleAfter: 1_800 })).toMatchObject({ kind: 'here' });
  });
});

test.each([
  [120_000, '2 minutes'],
  [60_001, '2 minutes'],
  [60_000, '1 minute'],
  [59_001, '1 minute'],
  [30_000, '30 seconds'],
  [900, '1 second'],
])('%i ms are %s', (milliseconds, words) => {
  expect(timeLeft(milliseconds)).toBe(words);
});
