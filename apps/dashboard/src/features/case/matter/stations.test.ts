import type { Milestone } from '@keyturn/contract';
import { describe, expect, test } from 'vitest';
import { milestoneFixture } from '../../../../fixtures/entities.ts';
import { currentMilestone, otherMilestonesUnderWay, routeOf } from './stations.ts';

const at = (key: string, title: string, position: number, status: Milestone['status'], key_moment = false) =>
  milestoneFixture({ key, status, stage: { title, position, key_moment } });

const words = (milestones: Milestone[], stage: string | null = null) =>
  routeOf(milestones, stage).stations.map(({ title, status }) => `${title} ${status}`);

describe('the stations of a matter', () => {
  test('stand in the order of their stages, whatever the order of the milestones', () => {
    const milestones = [
      at('c', 'Searches', 3, 'upcoming'),
      at('a', 'Opened', 1, 'done'),
      at('b', 'Identity', 2, 'current'),
    ];
    expect(words(milestones)).toEqual(['Opened done', 'Identity current', 'Searches upcoming']);
  });

  test.each([
    [['done', 'done'], 'done'],
    [['done', 'not_needed'], 'done'],
    [['not_needed', 'not_needed'], 'not-needed'],
    [['upcoming', 'not_needed'], 'upcoming'],
    [['done', 'current'], 'current'],
    [['current', 'blocked'], 'blocked'],
    [['done', 'upcoming'], 'current'],
    [['upcoming', 'upcoming'], 'upcoming'],
  ] as const)('with milestones %j is %s', (statuses, status) => {
    const milestones = statuses.map((each, n) => at(`m${n}`, 'Searches', 1, each));
    expect(routeOf(milestones, null).stations[0]?.status).toBe(status);
  });

  test('know their key moments', () => {
    const { stations } = routeOf(
      [at('a', 'Exchange', 1, 'upcoming', true), at('b', 'Closed', 2, 'upcoming')],
      null,
    );
    expect(stations.map(({ isKeyMoment }) => isKeyMoment)).toEqual([true, false]);
  });
});

describe('where things stand', () => {
  const milestones = [
    at('a', 'Opened', 1, 'done'),
    at('b', 'Searches', 2, 'current'),
    at('c', 'Mortgage', 3, 'current'),
    at('d', 'Signing', 4, 'upcoming'),
  ];

  test('is the stage that the matter names', () => {
    expect(routeOf(milestones, 'c').at).toBe(2);
    expect(currentMilestone(milestones, 'c')?.key).toBe('c');
    expect(otherMilestonesUnderWay(milestones, 'c').map(({ key }) => key)).toEqual(['b']);
  });

  test('is the first step under way where the matter names none, or one that is not there', () => {
    expect(routeOf(milestones, null).at).toBe(1);
    expect(routeOf(milestones, 'elsewhere').at).toBe(1);
  });

  test('is the next stage while nothing is under way', () => {
    expect(routeOf([at('a', 'Opened', 1, 'done'), at('d', 'Signing', 4, 'upcoming')], null).at).toBe(1);
  });

  test('is the last stage when all is done', () => {
    expect(routeOf([at('a', 'Opened', 1, 'done'), at('d', 'Closed', 4, 'done')], null).at).toBe(1);
  });

  test('is the beginning of a matter without milestones', () => {
    expect(routeOf([], null)).toEqual({ stations: [], at: 0 });
    expect(currentMilestone([], null)).toBeUndefined();
  });
});
