import { expect, test } from 'vitest';
import { findInText, type TextPiece } from './find-in-text.ts';

const line = (str: string): TextPiece => ({ str, hasEOL: true });
const part = (str: string): TextPiece => ({ str, hasEOL: false });

/** Returns the text of each match, with a bar where it crosses into another piece. */
const matchedText = (pieces: TextPiece[], query: string) =>
  findInText(pieces, query).map(({ from, to }) =>
    pieces
      .slice(from.piece, to.piece + 1)
      .map(({ str }, index, all) =>
        str.slice(index === 0 ? from.offset : 0, index === all.length - 1 ? to.offset : undefined),
      )
      .join('|'),
  );

test('finds every match in a page, without overlaps', () => {
  expect(matchedText([line('deposit, Deposit and DEPOSIT')], 'deposit')).toEqual([
    'deposit',
    'Deposit',
    'DEPOSIT',
  ]);
  expect(matchedText([line('aaaa')], 'aa')).toEqual(['aa', 'aa']);
});

test('ignores accents and the style of quotation marks and dashes when finding text', () => {
  expect(matchedText([line('The café’s “plan” – 2–8 May')], "CAFE'S")).toEqual(['café’s']);
  expect(matchedText([line('The cafe, e\u0301tage')], 'Étage')).toEqual(['e\u0301tage']);
  expect(matchedText([line('“plan” 2–8')], '"plan" 2-8')).toEqual(['“plan” 2–8']);
});

test('finds text that spans several pieces or lines', () => {
  expect(matchedText([part('Con'), part('tract'), part(' for')], 'contract for')).toEqual(['Con|tract| for']);
  expect(matchedText([line('the whole'), line('of the   property')], 'whole of the property')).toEqual([
    'whole|of the   property',
  ]);
});

test('finds a word hyphenated at the end of a line, but does not join a range of numbers', () => {
  expect(matchedText([line('the stake-'), line('holder keeps')], 'stakeholder')).toEqual(['stake-|holder']);
  expect(matchedText([line('pages 2-'), line('8')], '28')).toEqual([]);
});

test('finds text written with ligatures and mathematical letters', () => {
  expect(matchedText([line('The o\uFB03ce copy')], 'office')).toEqual(['o\uFB03ce']);
  expect(matchedText([line('Straße \u{1D400}B')], 'ab')).toEqual(['\u{1D400}B']);
});

test('finds no match for an empty query or for text that is not on the page', () => {
  expect(matchedText([line('text')], '  ')).toEqual([]);
  expect(matchedText([], 'text')).toEqual([]);
  expect(matchedText([line('text')], 'texts')).toEqual([]);
});
