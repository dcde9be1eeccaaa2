import { describe, expect, test } from 'vitest';
import { findInText, type Piece } from './find-in-text.ts';

const line = (str: string): Piece => ({ str, hasEOL: true });
const part = (str: string): Piece => ({ str, hasEOL: false });

/** The text that is marked, cut out of the pieces again. */
const marked = (pieces: Piece[], query: string) =>
  findInText(pieces, query).map(({ from, to }) =>
    pieces
      .slice(from.piece, to.piece + 1)
      .map(({ str }, index, all) =>
        str.slice(index === 0 ? from.offset : 0, index === all.length - 1 ? to.offset : undefined),
      )
      .join('|'),
  );

describe('finding in a page', () => {
  test('marks every place, and none twice', () => {
    expect(marked([line('deposit, Deposit and DEPOSIT')], 'deposit')).toEqual([
      'deposit',
      'Deposit',
      'DEPOSIT',
    ]);
    expect(marked([line('aaaa')], 'aa')).toEqual(['aa', 'aa']);
  });

  test('does not mind accents, quotation marks and dashes, in the text or in the query', () => {
    expect(marked([line('The café’s “plan” – 2–8 May')], "CAFE'S")).toEqual(['café’s']);
    expect(marked([line('The cafe, e\u0301tage')], 'Étage')).toEqual(['e\u0301tage']);
    expect(marked([line('“plan” 2–8')], '"plan" 2-8')).toEqual(['“plan” 2–8']);
  });

  test('reads on from piece to piece and from line to line', () => {
    expect(marked([part('Con'), part('tract'), part(' for')], 'contract for')).toEqual(['Con|tract| for']);
    expect(marked([line('the whole'), line('of the   property')], 'whole of the property')).toEqual([
      'whole|of the   property',
    ]);
  });

  test('joins a word that is parted at the end of a line, and no range of numbers', () => {
    expect(marked([line('the stake-'), line('holder keeps')], 'stakeholder')).toEqual(['stake-|holder']);
    expect(marked([line('pages 2-'), line('8')], '28')).toEqual([]);
  });

  test('takes a letter that is written as several for what it says', () => {
    expect(marked([line('The o\uFB03ce copy')], 'office')).toEqual(['o\uFB03ce']);
    expect(marked([line('Straße \u{1D400}B')], 'ab')).toEqual(['\u{1D400}B']);
  });

  test('finds nothing for nothing, and nothing where it is not', () => {
    expect(marked([line('text')], '  ')).toEqual([]);
    expect(marked([], 'text')).toEqual([]);
    expect(marked([line('text')], 'texts')).toEqual([]);
  });
});
