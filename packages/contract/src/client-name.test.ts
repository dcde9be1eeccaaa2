import { expect, test } from 'vitest';
import { matchesClientName } from './client-name.ts';

// cspell:ignore Soren Søren Soeren Strauß Djordje Djorđe Aelfgifu Ælfgifu Cœur Isil Işıl Gudrun Guðrún Aase

test.each([
  ['Amelia Okafor', true],
  ['  amelia   OKAFOR ', true],
  ['Amelia Jane Okafor', true],
  ['Okafor, Amelia', true],
  ['Mickey Mouse', false],
  ['Amelia', false],
  ['Tom Okafor', false],
  ['', false],
])('a typed name %j matches the client Amelia Okafor: %s', (typed, isMatch) => {
  expect(matchesClientName(typed, { first_name: 'Amelia', last_name: 'Okafor' })).toBe(isMatch);
});

test.each([
  ["Zoë O'Brien-Łukasiewicz", { first_name: 'Zoë Anne', last_name: 'O’Brien-Łukasiewicz' }],
  ['Zoe\u0308 Ashdown', { first_name: 'Zoë', last_name: 'Ashdown' }],
  ['李 小龍', { first_name: '小龍', last_name: '李' }],
  ['محمد بن سلمان', { first_name: 'محمد', last_name: 'بن سلمان' }],
])('a typed name matches in any script and with any accents: %s', (typed, name) => {
  expect(matchesClientName(typed, name)).toBe(true);
});

test.each([
  ['Lukasz', 'Łukasz'],
  ['Soren', 'Søren'],
  ['Soeren', 'Søren'],
  ['Strauss', 'Strauß'],
  ['Djordje', 'Djorđe'],
  ['Aelfgifu', 'Ælfgifu'],
  ['Coeur', 'Cœur'],
  ['Isil', 'Işıl'],
  ['Thor', 'Þór'],
  ['Gudrun', 'Guðrún'],
  ['Mueller', 'Müller'],
  ['Muller', 'Müller'],
  ['Aase', 'Åse'],
  ['OBrien-Smith', 'O’Brien Smith'],
])('“%s” and “%s” are the same name, whichever of them is typed', (plain, accented) => {
  const isMatch = (typed: string, last_name: string) =>
    matchesClientName(`Ada ${typed}`, { first_name: 'Ada', last_name });
  expect([isMatch(plain, accented), isMatch(accented, plain)]).toEqual([true, true]);
  expect(isMatch('Miller', accented)).toBe(false);
});
