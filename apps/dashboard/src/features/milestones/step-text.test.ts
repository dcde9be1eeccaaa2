import { describe, expect, test } from 'vitest';
import { matterFixture, milestoneFixture } from '../../../fixtures/entities.ts';
import { actingWords, keyMomentWords, whenWords } from './step-text.ts';

const today = '2026-11-21';
const when = (
  given: Parameters<typeof milestoneFixture>[0],
  matter: Parameters<typeof matterFixture>[0] = {},
) => whenWords(matterFixture(matter), milestoneFixture(given), today);

describe('when a step is', () => {
  test('is its day, with the year: the path is read long after', () => {
    expect(when({ status: 'done', reached_on: '2026-10-15' })).toBe('Done Thursday 15 October 2026');
    expect(when({ status: 'done' })).toBe('Done');
  });

  test('is a range while it is expected', () => {
    expect(when({ expected_from: '2026-12-07', expected_to: '2026-12-18' })).toBe('Expected 7–18 December');
    expect(when({ expected_from: '2027-01-11', expected_to: '2027-01-22' })).toBe(
      'Expected 11–22 January 2027',
    );
  });

  test('is never one day before exchange', () => {
    expect(when({ key: 'completed' }, { target_completion_on: '2027-01-29' })).toBe(
      'Aiming for 25–29 January 2027',
    );
    expect(
      when({ key: 'completed' }, { target_completion_on: '2027-01-29', exchanged_on: '2027-01-15' }),
    ).toBe('Agreed for Friday 29 January 2027');
  });

  test('is left open where nobody knows', () => {
    expect(when({})).toBeNull();
  });
});

describe('who acts', () => {
  test.each([
    [{ actor: 'you' }, 'You act.'],
    [{ actor: 'us', usual_working_days: { from: 1, to: 5 } }, 'We act. Usually takes 1 to 5 working days.'],
    [{ actor: 'other_side' }, 'The seller’s lawyer acts.'],
    [{ actor: 'third_party' }, 'Somebody outside our firm acts.'],
    [{ actor: 'you', status: 'done' }, 'Done by you'],
    [{ actor: 'us', status: 'done' }, 'Done by us'],
    [{ actor: 'other_side', status: 'done' }, 'Done by the seller’s lawyer'],
  ] as const)('in %j: %s', (given, words) => {
    expect(actingWords(milestoneFixture(given), 'purchase')).toBe(words);
  });
});

test('a key moment is explained by its name', () => {
  const exchange = milestoneFixture({
    stage: { title: 'Exchange', position: 6, key_moment: true },
    explanation: 'From this day on you are legally bound, and the moving date is fixed.',
  });
  expect(keyMomentWords(exchange)).toBe(
    'Exchange: from this day on you are legally bound, and the moving date is fixed.',
  );
});
