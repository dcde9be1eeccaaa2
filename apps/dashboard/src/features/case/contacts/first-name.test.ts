import { expect, test } from 'vitest';
import { firstName } from './first-name.ts';

test.each([
  ['Rhian Morgan', 'Rhian'],
  ['Dr Rhian Morgan', 'Dr Rhian Morgan'],
  ['Prince', 'Prince'],
])('addresses %s as %s', (name, form) => {
  expect(firstName(name)).toBe(form);
});
