import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createConnectionPacer } from './pace-connections.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function startPacer() {
  const pacer = createConnectionPacer({ openBatch: 8, openInterval: 20 });
  const opened: number[] = [];
  const connect = (count: number, address = 'a') => {
    for (let number = 0; number < count; number += 1) {
      const position = opened.length + pacer.waiting();
      pacer.add(address, () => opened.push(position));
    }
  };
  return { pacer, opened, connect };
}

describe('pacing connections', () => {
  test('opens single connections immediately', () => {
    const { opened, connect } = startPacer();
    for (let attempt = 0; attempt < 30; attempt += 1) {
      connect(1);
      expect(opened).toHaveLength(attempt + 1);
      vi.advanceTimersByTime(10);
    }
  });

  test('fault 41: opens many queued connections in batches and in order, without losing any', () => {
    const { pacer, opened, connect } = startPacer();
    connect(30);
    expect(opened).toHaveLength(8);
    expect(pacer.waiting()).toBe(22);
    vi.advanceTimersByTime(20);
    connect(1);
    expect(opened).toHaveLength(16);
    vi.advanceTimersByTime(20);
    vi.advanceTimersByTime(20);
    expect(opened).toEqual(Array.from({ length: 31 }, (_, index) => index));
    expect(pacer.waiting()).toBe(0);
    vi.advanceTimersByTime(40);
    connect(8);
    expect(opened).toHaveLength(39);
  });

  test('fault 41: opens fewer connections while the event loop lags, in proportion to the elapsed time', () => {
    const { opened, connect } = startPacer();
    connect(1_000);
    const late = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 120);
    vi.advanceTimersByTime(20);
    expect(opened).toHaveLength(8 + 30);
    late.mockReturnValue(performance.now() + 60_000);
    vi.advanceTimersByTime(20);
    expect(opened).toHaveLength(8 + 30 + 250);
    late.mockRestore();
  });

  test('counts the waiting connections of each address', () => {
    const { pacer, connect } = startPacer();
    connect(10, 'a');
    connect(3, 'b');
    expect([pacer.waiting(), pacer.waiting('a'), pacer.waiting('b')]).toEqual([5, 2, 3]);
    vi.advanceTimersByTime(20);
    expect([pacer.waiting(), pacer.waiting('a'), pacer.waiting('b')]).toEqual([0, 0, 0]);
  });

  test('opens all waiting connections when the pacer is stopped', () => {
    const { pacer, opened, connect } = startPacer();
    connect(20);
    pacer.stop();
    expect(opened).toHaveLength(20);
    expect(pacer.waiting()).toBe(0);
  });
});
