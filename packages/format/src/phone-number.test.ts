import { describe, expect, test } from 'vitest';
import { formatPhone, telephoneHref } from './phone-number.ts';

describe('telephone numbers', () => {
  test.each([
    ['+441174960101', '0117 496 0101', 'tel:+441174960101'],
    ['+442079460000', '020 7946 0000', 'tel:+442079460000'],
    ['+441632960123', '01632 960123', 'tel:+441632960123'],
    ['+441539412345', '015394 12345', 'tel:+441539412345'],
    ['+447700900123', '07700 900123', 'tel:+447700900123'],
    ['+443001231234', '0300 123 1234', 'tel:+443001231234'],
    ['+44800123456', '0800 123456', 'tel:+44800123456'],
    ['+448001111', '0800 1111', 'tel:+448001111'],
    ['+441174960101;ext=12', '0117 496 0101 ext. 12', 'tel:+441174960101,12'],
    ['+35315550123', '+353 1555 0123', 'tel:+35315550123'],
    ['+14155552671', '+1 415 555 2671', 'tel:+14155552671'],
    ['+33612345678', '+33 612 345 678', 'tel:+33612345678'],
    ['+8613812345678;ext=9', '+86 138 1234 5678 ext. 9', 'tel:+8613812345678,9'],
  ])('the stored number %s is shown as %s, and a link dials it', (stored, shown, href) => {
    expect(formatPhone(stored)).toBe(shown);
    expect(telephoneHref(stored)).toBe(href);
  });

  test.each([
    ['0117 496 0101', 'tel:01174960101'],
    ['+44 (0)117 496-0101', 'tel:+441174960101'],
    ['(0117) 496.0101', 'tel:01174960101'],
  ])(
    'a number that an earlier release stored as typed is shown as typed, and a link dials it: %s',
    (typed, href) => {
      expect(formatPhone(typed)).toBe(typed);
      expect(telephoneHref(typed)).toBe(href);
    },
  );

  test.each([
    '0117 496 0101 or 07700 900123',
    '0117 496 0101 x12',
    '01174960101 07700900123',
    'n/a 1',
    '1',
    '7700900123.0',
    '117496010,00',
  ])('a text that is not one number is shown as typed, without a link: %s', (typed) => {
    expect(formatPhone(typed)).toBe(typed);
    expect(telephoneHref(typed)).toBeNull();
  });
});
