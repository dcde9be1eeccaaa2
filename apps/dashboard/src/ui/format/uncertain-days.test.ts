import { expect, test } from 'vitest';
import { uncertainDaysText } from './uncertain-days.ts';

const today = '2026-11-21';

test.each([
  ['2026-12-07', '2026-12-18', 'Expected between 7 and 18 December'],
  ['2026-11-28', '2026-12-04', 'Expected between 28 November and 4 December'],
  ['2026-12-28', '2027-01-04', 'Expected between 28 December and 4 January 2027'],
  ['2026-12-07', '2026-12-07', 'Expected on 7 December'],
  ['2026-11-16', '2026-11-21', 'Expected between 16 and 21 November'],
  ['2026-11-16', '2026-11-20', 'Was expected between 16 and 20 November'],
])('says that the firm expects something from %s to %s', (from, to, text) => {
  expect(uncertainDaysText({ kind: 'expected', from, to }, today)).toBe(text);
});

test('says which week the firm aims for, or aimed for', () => {
  expect(uncertainDaysText({ kind: 'aimed', day: '2026-12-09' }, today)).toBe('Aiming for 7–11 December');
  expect(uncertainDaysText({ kind: 'aimed', day: '2026-11-12' }, today)).toBe('We aimed for 9–13 November');
});

test('says the usual months of something as an estimate, until they have passed', () => {
  const usual = (from: string, to: string) => uncertainDaysText({ kind: 'usual', from, to }, today);
  expect(usual('2027-01-28', '2027-04-08')).toBe('Estimate: January to April 2027');
  expect(usual('2026-09-01', '2026-11-20')).toBe(null);
});
