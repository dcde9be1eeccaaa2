import { expect, test } from 'vitest';
import { cardBrandName } from './card-brand.ts';

test.each([
  ['visa', 'Visa'],
  ['Mastercard', 'Mastercard'],
  ['amex', 'American Express'],
  ['a new brand', 'Card'],
])('formats the card brand %s as %s', (brand, name) => {
  expect(cardBrandName(brand)).toBe(name);
});
