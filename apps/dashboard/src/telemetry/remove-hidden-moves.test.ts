import { expect, test } from 'vitest';
import { removeHiddenMoves } from './remove-hidden-moves.ts';

test('keeps pointer moves on recorded elements and removes those on unrecorded ones', () => {
  const move = (ids: number[]) => ({
    type: 3,
    timestamp: 1,
    data: { source: 6, positions: ids.map((id) => ({ x: 1, y: 2, id, timeOffset: -3 })) },
  });
  const others = [{ type: 4, data: { href: '/' } }, { type: 3, data: { source: 2, id: -1 } }, { type: 0 }];
  expect(removeHiddenMoves([move([7, -1, 8]), ...others, move([-1])] as never)).toEqual([
    move([7, 8]),
    ...others,
    move([]),
  ]);
});
