import { expect, test } from 'vitest';
import { createSocketId, isSocketId } from './socket-ids.ts';

test('protocol 1: a hundred thousand socket ids have the right shape and are all different', () => {
  const ids = Array.from({ length: 100_000 }, createSocketId);
  expect(ids.filter((id) => !isSocketId(id))).toEqual([]);
  expect(new Set(ids).size).toBe(100_000);
});
