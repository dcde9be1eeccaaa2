import { describe, expect, test } from 'vitest';
import { createErrorReports } from './error-reports.ts';

describe('error reports', () => {
  test('passes on failures in order and once, including those before the listener', () => {
    const reports = createErrorReports();
    reports.report('first');
    reports.report('second');
    const received: unknown[] = [];
    reports.subscribe((error) => received.push(error));
    reports.report('third');
    expect(received).toEqual(['first', 'second', 'third']);
    reports.subscribe((error) => received.push(`again ${error}`));
    expect(received).toHaveLength(3);
  });

  test('keeps only 20 failures while there is no listener', () => {
    const reports = createErrorReports();
    for (let index = 0; index < 1_000; index += 1) reports.report(index);
    const received: unknown[] = [];
    reports.subscribe((error) => received.push(error));
    expect(received).toHaveLength(20);
    expect(received[0]).toBe(0);
  });
});
