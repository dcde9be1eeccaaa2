import { expect, test } from 'vitest';
import { firstName } from './first-name.ts';

test.each([
  ['Rhian Morgan', 'Rhian'],
  ['Dr Rhian Morgan', 'Dr Rhian Morgan'],
  ['Prince', 'Prince'],
])('%s is written to as %s', (name, words) => {
  expect(firstName(name)).toBe(words);
});
