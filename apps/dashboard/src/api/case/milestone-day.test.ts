import { describe, expect, test } from 'vitest';
import { sampleMatter, sampleMilestone } from '../client/entity-samples.ts';
import { milestoneDay } from './milestone-day.ts';

describe('the day of a step', () => {
  test('is the day it was done', () => {
    const milestone = sampleMilestone({ status: 'done', reached_on: '2026-10-15' });
    expect(milestoneDay(sampleMatter(), milestone)).toEqual({ kind: 'done', day: '2026-10-15' });
  });

  test('of exchange is the one that the matter was exchanged on', () => {
    const milestone = sampleMilestone({ key: 'exchanged', status: 'done', reached_on: '2026-10-15' });
    const matter = sampleMatter({ exchanged_on: '2026-10-14' });
    expect(milestoneDay(matter, milestone)).toEqual({ kind: 'done', day: '2026-10-14' });
  });

  test('is a range while it is expected', () => {
    const milestone = sampleMilestone({ expected_from: '2026-12-07', expected_to: '2026-12-18' });
    expect(milestoneDay(sampleMatter(), milestone)).toEqual({
      kind: 'expected',
      from: '2026-12-07',
      to: '2026-12-18',
    });
  });

  test('of completion is certain once contracts are exchanged, and not before', () => {
    const milestone = sampleMilestone({
      key: 'completed',
      expected_from: '2027-01-25',
      expected_to: '2027-02-05',
    });
    const before = sampleMatter({ target_completion_on: '2027-01-29' });
    const after = sampleMatter({ target_completion_on: '2027-01-29', exchanged_on: '2027-01-15' });
    expect(milestoneDay(before, milestone).kind).toBe('expected');
    expect(milestoneDay(after, milestone)).toEqual({ kind: 'fixed', day: '2027-01-29' });
  });

  test('of exchange and completion is what is aimed for where nothing else is known', () => {
    const matter = sampleMatter({ target_exchange_on: '2027-01-15', target_completion_on: '2027-01-29' });
    const dayOf = (key: string) => milestoneDay(matter, sampleMilestone({ key }));
    expect(dayOf('exchanged')).toEqual({ kind: 'aimed', day: '2027-01-15' });
    expect(dayOf('completed')).toEqual({ kind: 'aimed', day: '2027-01-29' });
    expect(dayOf('title_reviewed')).toEqual({ kind: 'unknown' });
  });
});
