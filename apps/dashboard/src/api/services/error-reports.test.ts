import { describe, expect, test } from 'vitest';
import { createErrorReports } from './error-reports.ts';

describe('what nobody foresaw', () => {
  test('is kept until somebody listens, in its order, and told once', () => {
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

  test('takes no more room than for a few while nobody does', () => {
    const reports = createErrorReports();
    for (let index = 0; index < 1_000; index += 1) reports.report(index);
    const heard: unknown[] = [];
    reports.subscribe((error) => heard.push(error));
    expect(heard).toHaveLength(20);
    expect(heard[0]).toBe(0);
  });
});
