import { expect, test } from 'vitest';
import { formatExactMoment } from './format-for-print.ts';

test('prints moments in London time to the second', () => {
  expect(formatExactMoment(new Date('2026-07-24T22:59:59Z'))).toBe(
    'Friday 24 July 2026 at 11:59:59 pm (BST)',
  );
});
