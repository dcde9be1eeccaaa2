import { expect, test } from 'vitest';
import { markMatches } from './mark-matches.ts';

const match = (from: [number, number], to: [number, number]) => ({
  from: { piece: from[0], offset: from[1] },
  to: { piece: to[0], offset: to[1] },
});

const shown = (piece: number, text: string, current: number, ...found: ReturnType<typeof match>[]) =>
  markMatches({ piece, text, isSpaced: false }, { found, current }).map(
    ({ text: part, match: index, isCurrent }) =>
      index === null ? part : isCurrent ? `[[${part}]]` : `[${part}]`,
  );

test('marks matches inside a piece of text and tells the current one apart', () => {
  expect(shown(0, 'deed and deed', 1, match([0, 0], [0, 4]), match([0, 9], [0, 13]))).toEqual([
    '[deed]',
    ' and ',
    '[[deed]]',
  ]);
});

test('marks the parts of a match that spans several pieces', () => {
  const spanning = match([1, 4], [3, 2]);
  expect(shown(0, 'before', -1, spanning)).toEqual(['before']);
  expect(shown(1, 'the con', -1, spanning)).toEqual(['the ', '[con]']);
  expect(shown(2, 'tract', -1, spanning)).toEqual(['[tract]']);
  expect(shown(3, 'of sale', -1, spanning)).toEqual(['[of]', ' sale']);
});
