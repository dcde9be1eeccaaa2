import { describe, expect, test } from 'vitest';
import { createReports } from './reports.ts';

describe('what nobody foresaw', () => {
  test('is kept until somebody listens, in its order, and told once', () => {
    const reports = createReports();
    reports.tell('first');
    reports.tell('second');
    const heard: unknown[] = [];
    reports.listen((error) => heard.push(error));
    reports.tell('third');
    expect(heard).toEqual(['first', 'second', 'third']);
    reports.listen((error) => heard.push(`again ${error}`));
    expect(heard).toHaveLength(3);
  });

  test('takes no more room than for a few while nobody does', () => {
    const reports = createReports();
    for (let index = 0; index < 1_000; index += 1) reports.tell(index);
    const heard: unknown[] = [];
    reports.listen((error) => heard.push(error));
    expect(heard).toHaveLength(20);
    expect(heard[0]).toBe(0);
  });
});
