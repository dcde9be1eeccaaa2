import { expect, test } from 'vitest';
import { initialsOf } from './initials.ts';

test.each([
  ['Amelia', 'Okafor', 'AO'],
  ['  priya ', 'raman', 'PR'],
  ['Łukasz', 'O’Brien', 'ŁO'],
  ['李', '小龙', '李小'],
  // cspell:disable-next-line
  ['é́lodie', '👩‍👩‍👧 Smith', 'É́👩‍👩‍👧'],
  ['e\u0301', 'd\u200d', 'E\u0301D\u200d'],
  ['', 'Prince', 'P'],
])('abbreviates the name "%s %s" to %s', (first_name, last_name, initials) => {
  expect(initialsOf({ first_name, last_name })).toBe(initials);
});
