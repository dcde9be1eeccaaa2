import { expect, test } from 'vitest';
import { historyEntryFixture } from '../../../../fixtures/entities.ts';
import { arrivedSince } from './arrived-since.ts';

const entry = (id: string, minute: string) =>
  historyEntryFixture({ id, occurred_at: `2026-11-19T09:${minute}:00.000Z` });
const [old, middle, newest] = [entry('old', '01'), entry('middle', '02'), entry('newest', '03')] as const;
const ids = (entries: ReturnType<typeof arrivedSince>) => entries.map(({ id }) => id);

test('reports history entries newer than the known ones', () => {
  expect(ids(arrivedSince([middle, old], [newest, middle, old]))).toEqual(['newest']);
});

test('does not report an older entry that moves up when another is removed', () => {
  expect(arrivedSince([newest, middle], [newest, old])).toEqual([]);
});

test('reports no entries on the first load', () => {
  expect(arrivedSince(undefined, [newest])).toEqual([]);
});

test('reports no entries after a switch to another case', () => {
  expect(arrivedSince([old], [newest, middle])).toEqual([]);
});

test('reports the first entry of a case that had none', () => {
  expect(ids(arrivedSince([], [newest]))).toEqual(['newest']);
});
