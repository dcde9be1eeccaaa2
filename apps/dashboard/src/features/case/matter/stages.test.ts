import type { Milestone } from '@keyturn/contract';
import { expect, test } from 'vitest';
import { milestoneFixture } from '../../../../fixtures/entities.ts';
import { currentMilestone, otherMilestonesUnderWay, routeOf } from './stages.ts';

const milestoneAt = (
  key: string,
  title: string,
  position: number,
  status: Milestone['status'],
  key_moment = false,
) => milestoneFixture({ key, status, stage: { title, position, key_moment } });

const stageTexts = (milestones: Milestone[], stage: string | null = null) =>
  routeOf(milestones, stage).stages.map(({ title, status }) => `${title} ${status}`);

test('orders the stages of a matter by position, in any order of the milestones', () => {
  const milestones = [
    milestoneAt('c', 'Searches', 3, 'upcoming'),
    milestoneAt('a', 'Opened', 1, 'done'),
    milestoneAt('b', 'Identity', 2, 'current'),
  ];
  expect(stageTexts(milestones)).toEqual(['Opened done', 'Identity current', 'Searches upcoming']);
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
] as const)('gives a stage with milestones %j the status %s', (statuses, status) => {
  const milestones = statuses.map((each, n) => milestoneAt(`m${n}`, 'Searches', 1, each));
  expect(routeOf(milestones, null).stages[0]?.status).toBe(status);
});

test('marks the stages of key moments', () => {
  const { stages } = routeOf(
    [milestoneAt('a', 'Exchange', 1, 'upcoming', true), milestoneAt('b', 'Closed', 2, 'upcoming')],
    null,
  );
  expect(stages.map(({ isKeyMoment }) => isKeyMoment)).toEqual([true, false]);
});

const milestones = [
  milestoneAt('a', 'Opened', 1, 'done'),
  milestoneAt('b', 'Searches', 2, 'current'),
  milestoneAt('c', 'Mortgage', 3, 'current'),
  milestoneAt('d', 'Signing', 4, 'upcoming'),
];

test('uses the stage that the matter names as the current stage', () => {
  expect(routeOf(milestones, 'c').at).toBe(2);
  expect(currentMilestone(milestones, 'c')?.key).toBe('c');
  expect(otherMilestonesUnderWay(milestones, 'c').map(({ key }) => key)).toEqual(['b']);
});

test('uses the first milestone under way as current when the matter names none or an unknown one', () => {
  expect(routeOf(milestones, null).at).toBe(1);
  expect(routeOf(milestones, 'elsewhere').at).toBe(1);
});

test('uses the next stage as current while no milestone is under way', () => {
  expect(
    routeOf([milestoneAt('a', 'Opened', 1, 'done'), milestoneAt('d', 'Signing', 4, 'upcoming')], null).at,
  ).toBe(1);
});

test('uses the last stage as current when every milestone is done', () => {
  expect(
    routeOf([milestoneAt('a', 'Opened', 1, 'done'), milestoneAt('d', 'Closed', 4, 'done')], null).at,
  ).toBe(1);
});

test('returns no stages for a matter without milestones', () => {
  expect(routeOf([], null)).toEqual({ stages: [], at: 0 });
  expect(currentMilestone([], null)).toBeUndefined();
});
