import { describe, expect, test } from 'vitest';
import { createReturningClients } from './returning-clients.ts';

describe('spreading the requests of returning clients', () => {
  test('tells a single returning client to refetch immediately', () => {
    let now = 0;
    const refetchWithin = createReturningClients({ now: () => now });
    expect(refetchWithin()).toBe(0);
    now = 25_000;
    expect(refetchWithin()).toBe(0);
  });

  test('fault 41: spreads the refetches of returning clients over up to 30 seconds, longer if more of them return or wait', () => {
    let waiting = 0;
    const refetchWithin = createReturningClients({ now: () => 0, waiting: () => waiting });
    const spread = Array.from({ length: 101 }, refetchWithin);
    expect(spread.slice(0, 3)).toEqual([0, 10, 20]);
    expect(spread.at(-1)).toBe(1_000);
    waiting = 900;
    expect(refetchWithin()).toBe(10_010);
    waiting = 10_000;
    expect(refetchWithin()).toBe(30_000);
  });

  test('counts the clients of the last ten to twenty seconds', () => {
    let now = 0;
    const refetchWithin = createReturningClients({ now: () => now });
    for (let client = 0; client < 50; client += 1) refetchWithin();
    now = 10_500;
    expect(refetchWithin()).toBe(500);
    now = 20_500;
    expect(refetchWithin()).toBe(10);
  });
});
