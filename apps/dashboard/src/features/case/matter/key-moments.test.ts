import { describe, expect, test } from 'vitest';
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

describe('exchange and completion', () => {
  test('are ranges before exchange, even where the firm has a day in mind', () => {
    expect(
      when(
        { target_exchange_on: '2026-12-09', target_completion_on: '2027-01-12' },
        exchange(),
        completion({ expected_from: '2027-01-11', expected_to: '2027-01-22' }),
      ),
    ).toEqual(['Exchange: Aiming for 7–11 December', 'Completion: Expected 11–22 January 2027']);
  });

  test('after exchange completion has its day', () => {
    expect(
      when(
        { exchanged_on: '2026-11-20', target_completion_on: '2026-12-18' },
        exchange({ status: 'done', reached_on: '2026-11-20' }),
        completion({ expected_from: '2026-12-14', expected_to: '2026-12-20' }),
      ),
    ).toEqual(['Exchange: Friday 20 November 2026', 'Completion: Friday 18 December 2026']);
  });

  test('say so when there is no date, and keep silent about what is not needed', () => {
    expect(when({}, exchange({ status: 'not_needed' }), completion())).toEqual(['Completion: No date yet']);
    expect(when({}, milestoneFixture())).toEqual([]);
  });
});
