import { expect, test } from 'vitest';
import { planRetry, retryDelays } from './plan-retry.ts';

const start = Date.parse('2026-11-20T09:00:00Z');
const retryUntil = new Date(start + 72 * 3_600_000);

test('retries for three days at growing intervals, the last time at the end, and then never again', () => {
  let now = start;
  let failures = 0;
  const waits: number[] = [];
  for (;;) {
    failures += 1;
    const next = planRetry({ failures, retryUntil }, { now: new Date(now), random: 0.5 });
    if (!next) break;
    waits.push((next.getTime() - now) / 1_000);
    now = next.getTime();
  }
  expect(waits.slice(0, 9)).toEqual([5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 21_600]);
  expect(now).toBe(retryUntil.getTime());
  expect(failures).toBe(20);
});

test('spreads retries by a fifth in both directions', () => {
  const wait = (random: number) =>
    (planRetry({ failures: 4, retryUntil }, { now: new Date(start), random })?.getTime() ?? 0) - start;
  expect([wait(0), wait(1)]).toEqual([480_000, 720_000]);
});

test('makes five attempts at an event that waited behind another one for three days', () => {
  const planAt = (failures: number) =>
    planRetry({ failures, retryUntil }, { now: new Date(retryUntil.getTime() + 1), random: 0.5 });
  expect(planAt(4)?.getTime()).toBe(retryUntil.getTime() + 1 + (retryDelays[3] ?? 0));
  expect(planAt(5)).toBeNull();
});
