import { expect, test } from 'vitest';
import { hasHiddenCharacter, removeInvisible } from './hidden-characters.ts';

test.each([
  '\0',
  '\u0007',
  '\u007f',
  '\u0085',
  '\u061c',
  '\u200e',
  '\u200f',
  '\u202a',
  '\u202e',
  '\u2066',
  '\u2069',
])('finds the hidden character %j', (character) => {
  expect(hasHiddenCharacter(`Invoice ${character}7`)).toBe(true);
});

test.each([
  '',
  'Invoice 7',
  'Zoë O’Brien-Łukasiewicz 李',
  'שלום',
  'نادية',
  '👩\u200d👧',
  'one\ttwo\r\nthree',
  'e\u0301',
])('finds no hidden character in %j', (text) => {
  expect(hasHiddenCharacter(text)).toBe(false);
});

test.each(['\u200b', '\u200c', '\u2060', '\u00ad', '\ufeff', '\u180e', '\u3164', '\u{e0020}'])(
  'removes the invisible character %j from pasted text, and leaves the rest',
  (character) =>
    expect(removeInvisible(`a${character}da@exam${character}ple.test Zoë`)).toBe('ada@example.test Zoë'),
);
