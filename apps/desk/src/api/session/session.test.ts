import { describe, expect, test } from 'vitest';
import { limitOf } from './session.ts';

const start = Date.parse('2026-11-23T09:00:00Z');
const signIn = { idle_after: 1_800, expires_at: '2026-11-23T17:00:00Z' };
const minutes = (count: number) => count * 60_000;
const at = (minute: number, extendedAt: number) =>
  limitOf(signIn, { now: start + minutes(minute), extendedAt: start + minutes(extendedAt) });

describe('the limits of a session', () => {
  test('the limits of a session leave an active session open', () => {
    expect(at(1, 0)).toMatchObject({ kind: 'open' });
    expect(at(400, 399)).toMatchObject({ kind: 'open' });
  });

  test('the limits of a session warn two minutes before a session ends for lack of activity, and end it before the server does', () => {
    expect(at(26, 0).kind).toBe('open');
    expect(at(27, 0)).toEqual({ kind: 'idle_soon', remaining: 110_000 });
    expect(at(28.8, 0).kind).toBe('idle_soon');
    expect(at(29, 0)).toEqual({ kind: 'ended', reason: 'idle' });
  });

  test('the limits of a session warn ten minutes before a session ends after eight hours, whatever the member does', () => {
    expect(at(469, 469).kind).toBe('open');
    expect(at(471, 471)).toMatchObject({ kind: 'expires_soon', remaining: minutes(9) });
    expect(at(480, 480)).toEqual({ kind: 'ended', reason: 'expired' });
  });

  test('the limits of a session do not let a clock that was set back keep a session open', () => {
    expect(at(-60, 0)).toMatchObject({ kind: 'open', recheckIn: minutes(30) - 70_000 - minutes(2) });
  });
});
