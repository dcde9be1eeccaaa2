import { describe, expect, test } from 'vitest';
import { matterFixture, milestoneFixture } from '../../../fixtures/entities.ts';
import { milestoneDay } from './milestone-day.ts';

describe('the day of a step', () => {
  test('a completed step shows the day it was done', () => {
    const milestone = milestoneFixture({ status: 'done', reached_on: '2026-10-15' });
    expect(milestoneDay(matterFixture(), milestone)).toEqual({ kind: 'done', day: '2026-10-15' });
  });

  test('the exchange step shows the day on which the matter exchanged', () => {
    const milestone = milestoneFixture({ key: 'exchanged', status: 'done', reached_on: '2026-10-15' });
    const matter = matterFixture({ exchanged_on: '2026-10-14' });
    expect(milestoneDay(matter, milestone)).toEqual({ kind: 'done', day: '2026-10-14' });
  });

  test('a step without any planned day shows what is usual, and a planned day comes first', () => {
    const usually_between = { from: '2027-01-28', to: '2027-04-08' };
    const milestone = milestoneFixture({ key: 'exchanged', usually_between });
    expect(milestoneDay(matterFixture(), milestone)).toEqual({ kind: 'usual', ...usually_between });
    const aimed = matterFixture({ target_exchange_on: '2027-01-15' });
    expect(milestoneDay(aimed, milestone)).toEqual({ kind: 'aimed', day: '2027-01-15' });
  });

  test('an upcoming step shows its expected range of days', () => {
    const milestone = milestoneFixture({ expected_from: '2026-12-07', expected_to: '2026-12-18' });
    expect(milestoneDay(matterFixture(), milestone)).toEqual({
      kind: 'expected',
      from: '2026-12-07',
      to: '2026-12-18',
    });
  });

  test('the completion day is fixed only after contracts are exchanged', () => {
    const milestone = milestoneFixture({
      key: 'completed',
      expected_from: '2027-01-25',
      expected_to: '2027-02-05',
    });
    const before = matterFixture({ target_completion_on: '2027-01-29' });
    const after = matterFixture({ target_completion_on: '2027-01-29', exchanged_on: '2027-01-15' });
    expect(milestoneDay(before, milestone).kind).toBe('expected');
    expect(milestoneDay(after, milestone)).toEqual({ kind: 'fixed', day: '2027-01-29' });
  });

  test('exchange and completion show their target day if no other date is known', () => {
    const matter = matterFixture({ target_exchange_on: '2027-01-15', target_completion_on: '2027-01-29' });
    const dayOf = (key: string) => milestoneDay(matter, milestoneFixture({ key }));
    expect(dayOf('exchanged')).toEqual({ kind: 'aimed', day: '2027-01-15' });
    expect(dayOf('completed')).toEqual({ kind: 'aimed', day: '2027-01-29' });
    expect(dayOf('title_reviewed')).toEqual({ kind: 'unknown' });
  });
});
