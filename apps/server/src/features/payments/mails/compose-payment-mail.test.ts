import { expect, test } from 'vitest';
import { formatMoment } from './compose-payment-mail.ts';

test.each([
  ['2026-11-21T12:02:36Z', '21 November 2026 at 12:02 pm'],
  ['2026-11-21T00:05:00Z', '21 November 2026 at 12:05 am'],
  ['2026-06-30T23:30:00Z', '1 July 2026 at 12:30 am'],
  ['2026-11-03T09:00:00Z', '3 November 2026 at 9:00 am'],
])('a payment mail shows %s in London time: %s', (instant, text) => {
  expect(formatMoment(new Date(instant))).toBe(text);
});
