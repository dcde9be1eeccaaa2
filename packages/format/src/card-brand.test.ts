import { expect, test } from 'vitest';
import { cardBrandName, cardText } from './card-brand.ts';

test.each([
  ['visa', 'Visa'],
  ['Mastercard', 'Mastercard'],
  ['amex', 'American Express'],
  ['a new brand', 'Card'],
])('formats the card brand %s as %s', (brand, name) => {
  expect(cardBrandName(brand)).toBe(name);
});

test.each([
  ['apple_pay', 'Apple Pay, Visa ending 4242'],
  ['google_pay', 'Google Pay, Visa ending 4242'],
  [null, 'Visa ending 4242'],
  ['unknown', 'Visa ending 4242'],
])('names a card with the wallet %j as %j', (wallet, text) => {
  expect(cardText({ brand: 'visa', last4: '4242', wallet })).toBe(text);
});
