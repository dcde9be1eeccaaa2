import { describe, expect, test } from 'vitest';
import { historyEntryFixture } from '../../../../fixtures/entities.ts';
import { arrivedSince } from './arrived-since.ts';

const entry = (id: string, minute: string) =>
  historyEntryFixture({ id, occurred_at: `2026-11-19T09:${minute}:00.000Z` });
const [old, middle, newest] = [entry('old', '01'), entry('middle', '02'), entry('newest', '03')] as const;
const ids = (entries: ReturnType<typeof arrivedSince>) => entries.map(({ id }) => id);

describe('news', () => {
  test('is what came on top of what was known', () => {
    expect(ids(arrivedSince([middle, old], [newest, middle, old]))).toEqual(['newest']);
  });

  test('is not what moved up from below when an entry went away', () => {
    expect(arrivedSince([newest, middle], [newest, old])).toEqual([]);
  });

  test('is not the first reading', () => {
    expect(arrivedSince(undefined, [newest])).toEqual([]);
  });

  test('is not another case', () => {
    expect(arrivedSince([old], [newest, middle])).toEqual([]);
  });

  test('is the first entry of a case that had none', () => {
    expect(ids(arrivedSince([], [newest]))).toEqual(['newest']);
  });
});
