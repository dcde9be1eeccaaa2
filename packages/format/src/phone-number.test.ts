import { expect, test } from 'vitest';
import { telephoneHref } from './phone-number.ts';

test('removes spaces, brackets and hyphens from a telephone link', () => {
  expect(telephoneHref('0117 496 0101')).toBe('tel:01174960101');
  expect(telephoneHref('+44 (0)117 496-0101')).toBe('tel:+4401174960101');
});
