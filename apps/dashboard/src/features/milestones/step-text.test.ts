import { expect, test } from 'vitest';
import { matterFixture, milestoneFixture } from '../../../fixtures/entities.ts';
import { actingText, keyMomentText, whenText } from './step-text.ts';

const today = '2026-11-21';
const when = (
  given: Parameters<typeof milestoneFixture>[0],
  matter: Parameters<typeof matterFixture>[0] = {},
) => whenText(matterFixture(matter), milestoneFixture(given), today);

test('shows when a step was done, with the year', () => {
  expect(when({ status: 'done', reached_on: '2026-10-15' })).toBe('Done Thursday 15 October 2026');
  expect(when({ status: 'done' })).toBe('Done');
});

test('shows an expected step as a date range', () => {
  expect(when({ expected_from: '2026-12-07', expected_to: '2026-12-18' })).toBe(
    'Expected between 7 and 18 December',
  );
  expect(when({ expected_from: '2027-01-11', expected_to: '2027-01-22' })).toBe(
    'Expected between 11 and 22 January 2027',
  );
});

test('never shows a single date for a step before exchange', () => {
  expect(when({ key: 'completed' }, { target_completion_on: '2027-01-29' })).toBe(
    'Aiming for 25–29 January 2027',
  );
  expect(when({ key: 'completed' }, { target_completion_on: '2027-01-29', exchanged_on: '2027-01-15' })).toBe(
    'Agreed for Friday 29 January 2027',
  );
});

test('shows the usual months of a step without a date, until they have passed', () => {
  const usually_between = { from: '2027-01-28', to: '2027-04-08' };
  expect(when({ key: 'exchanged', usually_between })).toBe('Estimate: January to April 2027');
  expect(when({ key: 'exchanged', usually_between: { from: '2026-09-01', to: '2026-11-20' } })).toBeNull();
});

test('shows no date for a step when none is known', () => {
  expect(when({})).toBeNull();
});

test.each([
  [{ actor: 'you' }, 'You do this.'],
  [{ actor: 'us', usual_working_days: { from: 1, to: 5 } }, 'We do this. Usually takes 1 to 5 working days.'],
  [
    { actor: 'us', usual_working_days: { from: 1, to: 5 }, figures_of: '2026-11-01' },
    'We do this. Usually takes 1 to 5 working days (figures of November 2026).',
  ],
  [{ actor: 'other_side' }, 'The seller’s lawyer does this.'],
  [{ actor: 'third_party' }, 'Another organisation does this.'],
  [{ key: 'enquiries_answered', actor: 'other_side' }, 'The lawyers do this.'],
  [{ key: 'exchanged', actor: 'us', status: 'done' }, 'Done'],
  [{ actor: 'you', status: 'done' }, 'Done by you'],
  [{ actor: 'us', status: 'done' }, 'Done by us'],
  [{ actor: 'other_side', status: 'done' }, 'Done by the seller’s lawyer'],
] as const)('describes who does the step %j: %s', (given, text) => {
  expect(actingText(milestoneFixture(given), 'purchase')).toBe(text);
});

test('explains a key moment after its name', () => {
  const exchange = milestoneFixture({
    stage: { title: 'Exchange', position: 6, key_moment: true },
    explanation: 'From this day on you are legally bound, and the moving date is fixed.',
  });
  expect(keyMomentText(exchange)).toBe(
    'Exchange: from this day on you are legally bound, and the moving date is fixed.',
  );
});
