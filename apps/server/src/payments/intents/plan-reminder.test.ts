import { expect, test } from 'vitest';
import { planReminder } from './plan-reminder.ts';

const dueBy = new Date('2026-12-10T12:00:00Z');
const daysBefore = (days: number) => new Date(dueBy.getTime() - days * 86_400_000);

test.each([
  [7.1, null],
  [7, 7],
  [4, 7],
  [3, 3],
  [1.5, 3],
  [1, 1],
  [0, 0],
  [-2, 0],
])('with %d days left, the reminder to send is %j', (days, reminder) => {
  expect(planReminder({ dueBy, sent: [] }, daysBefore(days))?.days ?? null).toBe(reminder);
});

test('sends one reminder after a gap, which covers those that were missed', () => {
  expect(planReminder({ dueBy, sent: [] }, daysBefore(0.5))).toEqual({ days: 1, covers: [7, 3, 1] });
});

test('sends each reminder once', () => {
  expect(planReminder({ dueBy, sent: [7] }, daysBefore(5))).toBeNull();
  expect(planReminder({ dueBy, sent: [7] }, daysBefore(2))?.days).toBe(3);
  expect(planReminder({ dueBy, sent: [7, 3, 1] }, daysBefore(0.5))).toBeNull();
});
