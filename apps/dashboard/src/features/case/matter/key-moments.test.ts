import { expect, test } from 'vitest';
import { matterFixture, milestoneFixture } from '../../../../fixtures/entities.ts';
import { keyMoments } from './key-moments.ts';

const today = '2026-11-21';
const exchange = (given = {}) =>
  milestoneFixture({
    key: 'exchanged',
    stage: { title: 'Exchange', position: 9, key_moment: true },
    ...given,
  });
const completion = (given = {}) =>
  milestoneFixture({
    key: 'completed',
    stage: { title: 'Completion', position: 10, key_moment: true },
    ...given,
  });

const when = (matter = {}, ...milestones: ReturnType<typeof exchange>[]) =>
  keyMoments(matterFixture(matter), milestones, today).map((moment) => `${moment.title}: ${moment.when}`);

test('shows exchange and completion as date ranges before exchange, even when the firm has a target date', () => {
  expect(
    when(
      { target_exchange_on: '2026-12-09', target_completion_on: '2027-01-12' },
      exchange(),
      completion({ expected_from: '2027-01-11', expected_to: '2027-01-22' }),
    ),
  ).toEqual(['Exchange: Aiming for 7–11 December', 'Completion: Expected between 11 and 22 January 2027']);
});

test('shows the completion date once contracts are exchanged', () => {
  expect(
    when(
      { exchanged_on: '2026-11-20', target_completion_on: '2026-12-18' },
      exchange({ status: 'done', reached_on: '2026-11-20' }),
      completion({ expected_from: '2026-12-14', expected_to: '2026-12-20' }),
    ),
  ).toEqual(['Exchange: Friday 20 November 2026', 'Completion: Friday 18 December 2026']);
});

test('says when a key moment has no date, and leaves out one that is not needed', () => {
  expect(when({}, exchange({ status: 'not_needed' }), completion())).toEqual(['Completion: No date yet']);
  expect(when({}, milestoneFixture())).toEqual([]);
});
