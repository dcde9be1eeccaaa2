import { expect, test } from 'vitest';
import { caseFixture } from '../../../../fixtures/entities.ts';
import { nextStepBeforePayment } from './next-step.ts';

const now = new Date('2026-11-20T15:00:00Z');
const next = (expected_on: string | null) => nextStepBeforePayment({ expected_on }, caseFixture().firm, now);

test('before a payment, promises nothing for another person’s card', () => {
  expect(next(null)).toBe(
    'If you pay yourself now, we’ll order the search on Monday 23 November. If someone else pays, it may take longer.',
  );
});

test('before a payment, names the working week in which the result is expected, unless that day has passed', () => {
  expect(next('2026-12-08')).toContain(
    'on Monday 23 November and expect the result in the week of 7–11 December. If someone else',
  );
  expect(next('2026-11-20')).not.toContain('result');
});
