import { expect, test } from 'vitest';
import { formatExactMoment, formatMoment } from './format-for-print.ts';

test('formats moments in London time, to the minute or to the second', () => {
  expect(formatMoment(new Date('2026-11-24T00:05:09Z'))).toBe('Tuesday 24 November 2026 at 12:05 am');
  expect(formatMoment(new Date('2026-07-24T11:05:09Z'))).toBe('Friday 24 July 2026 at 12:05 pm');
  expect(formatExactMoment(new Date('2026-07-24T22:59:59Z'))).toBe(
    'Friday 24 July 2026 at 11:59:59 pm (BST)',
  );
});
