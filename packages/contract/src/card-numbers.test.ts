import { describe, expect, test } from 'vitest';
import { hasCardNumber, hideCardNumbers } from './card-numbers.ts';

describe('finding card numbers', () => {
  test.each([
    '4929000000006',
    '4929 0000 0000 6668',
    '4929-0000-0000-6668',
    '4929.0000.0000.6668',
    'Visa4929000000006668',
    'my card: 4929000000006668.',
    '4 9 2 9 0 0 0 0 0 0 0 0 6 6 6 9',
    '３７８２ ８２２４６３ １０００５',
    '5555555555554444, 12/30',
    'x@4929000000006668',
    '6011000990139424@example.test',
    '2223003122003222',
    '30569309025904',
    '+4929000000006668',
  ])('finds and hides the card number in "%s"', (text) => {
    expect(hasCardNumber(text)).toBe(true);
    expect(hideCardNumbers(text)).toContain('[card number]');
    expect(hasCardNumber(hideCardNumbers(text))).toBe(false);
  });

  test('hides overlapping numbers completely, without a digit left before or after them', () => {
    expect(hideCardNumbers('a 12 4929 0000 0000 6668 4929 0000 0000 6 b')).toBe('a 12 [card number] b');
  });

  test.each([
    '',
    '4929 0000 0000 6669',
    'KT-2026-00417',
    '07700 900123, 0117 496 0100',
    '1790330000000',
    '+4915112345678',
    'Mobile: +49 151 12345678.',
    '200051 12345678',
    '3 years, 12 months, 2026, 48 pages',
    '9c1185a5-c5e9-4b0b-8e61-424242424242',
    '4242424242424242424242424242424242424242424242424242424242424242',
  ])('finds no card number in "%s"', (text) => {
    expect(hasCardNumber(text)).toBe(false);
    expect(hideCardNumbers(text)).toBe(text);
  });
});
