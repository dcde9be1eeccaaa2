import { expect, test } from 'vitest';
import { createSocketId, isSocketId } from './socket-ids.ts';

test('protocol 1: creates 100,000 valid and unique socket ids', () => {
  const ids = Array.from({ length: 100_000 }, createSocketId);
  expect(ids.filter((id) => !isSocketId(id))).toEqual([]);
  expect(new Set(ids).size).toBe(100_000);
});
