import { expect, test } from 'vitest';
import { telephoneHref } from './format-phone.ts';

test('a number is dialled without its spaces and brackets', () => {
  expect(telephoneHref('0117 496 0101')).toBe('tel:01174960101');
  expect(telephoneHref('+44 (0)117 496-0101')).toBe('tel:+4401174960101');
});
