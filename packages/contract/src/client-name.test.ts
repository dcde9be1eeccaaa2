import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldName, matchesClientName } from './client-name.ts';

// cspell:ignore Soren Søren Soeren Strauß Djordje Djorđe Aelfgifu Ælfgifu Cœur Isil Işıl Gudrun Guðrún Aase Lukasiewicz María Suharto abcłøßđðæœıþħŋéüåñzk Leeming Sukarno García Márquez Marquez Dubois Okafors Annemarie

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

test.each([
  ['Jane Okafor', 'Amelia Jane', 'Okafor', true],
  ['Amelia J. Okafor', 'Amelia Jane', 'Okafor', true],
  ['Marie Dubois', 'Anne-Marie', 'Dubois', true],
  ['Annemarie Dubois', 'Anne-Marie', 'Dubois', true],
  ['Gabriel García', 'Gabriel', 'García Márquez', true],
  ['Gabriel Marquez', 'Gabriel José', 'García Márquez', true],
  ['Zoe Lukasiewicz', 'Zoë', "O'Brien-Łukasiewicz", true],
  ['Zoe O’Brien', 'Zoë', 'O’Brien-Łukasiewicz', true],
  ['Maria de la Cruz', 'María', 'de la Cruz', true],
  ['Maria Cruz', 'María', 'de la Cruz', true],
  ['Maria de la', 'María', 'de la Cruz', false],
  ['Maria', 'María', 'de la Cruz', false],
  ['Ian Mac Donald', 'Ian', 'MacDonald', true],
  ['李小龍', '小龍', '李', true],
  ['小龍李', '小龍', '李', true],
  ['Suharto', 'Suharto', 'Suharto', true],
  ['Suharto', '-', 'Suharto', true],
  ['Suharto', 'Suharto', '.', true],
  ['Sukarno', 'Suharto', 'Suharto', false],
  ['James', 'James', 'James Smith', false],
  ['James James', 'James', 'James Smith', true],
  ['Joanna Leeming', 'Ann', 'Lee', false],
  ['J Okafor', 'Amelia J', 'Okafor', false],
  ['Amelia Okafors', 'Amelia', 'Okafor', false],
])(
  'the typed name “%s” of a client with the given names “%s” and the surname “%s” matches: %s',
  (typed, first_name, last_name, isMatch) => {
    expect(matchesClientName(typed, { first_name, last_name })).toBe(isMatch);
  },
);

const letters = fc.string({ unit: fc.constantFrom(...'abcłøßđðæœıþħŋéüåñzk'), minLength: 2, maxLength: 8 });
const namePart = letters.map((word) => `x${word}`);
const separator = fc.constantFrom(' ', '-', '  ', ', ', '. ');

test('a client may type any given name with a surname of theirs, in any order, case and with any plain letters', () => {
  fc.assert(
    fc.property(
      fc.array(namePart, { minLength: 1, maxLength: 3 }),
      fc.array(namePart, { minLength: 1, maxLength: 2 }),
      fc.nat(),
      fc.nat(),
      separator,
      fc.boolean(),
      (given, surnames, someGiven, someSurname, between, isReversed) => {
        const chosen = [given[someGiven % given.length] ?? '', surnames[someSurname % surnames.length] ?? ''];
        const typed = (isReversed ? chosen.toReversed() : chosen).map(foldName).join(between).toUpperCase();
        return matchesClientName(typed, { first_name: given.join(' '), last_name: surnames.join('-') });
      },
    ),
  );
});

test('a name of other words never matches, whatever its letters', () => {
  fc.assert(
    fc.property(namePart, namePart, namePart, (first_name, last_name, other) => {
      const name = { first_name, last_name };
      const isOther = [first_name, last_name, first_name + last_name, last_name + first_name].every(
        (known) => foldName(known) !== foldName(other),
      );
      fc.pre(isOther && foldName(first_name) !== foldName(last_name));
      expect(matchesClientName(`${first_name} ${other}q`, name)).toBe(false);
      expect(matchesClientName(`q${other} ${last_name}`, name)).toBe(false);
      expect(matchesClientName(first_name, name)).toBe(false);
    }),
  );
});
