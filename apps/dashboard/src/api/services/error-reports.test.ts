import { describe, expect, test } from 'vitest';
import { createErrorReports } from './error-reports.ts';

describe('error reports', () => {
  test('passes on failures in order and once, including those before the listener', () => {
    const reports = createErrorReports();
    reports.report('first');
    reports.report('second');
    const heard: unknown[] = [];
    reports.subscribe((error) => heard.push(error));
    reports.report('third');
    expect(heard).toEqual(['first', 'second', 'third']);
    reports.subscribe((error) => heard.push(`again ${error}`));
    expect(heard).toHaveLength(3);
  });

  test('keeps only 20 failures while there is no listener', () => {
    const reports = createErrorReports();
    for (let index = 0; index < 1_000; index += 1) reports.report(index);
    const heard: unknown[] = [];
    reports.subscribe((error) => heard.push(error));
    expect(heard).toHaveLength(20);
    expect(heard[0]).toBe(0);
  });
});
