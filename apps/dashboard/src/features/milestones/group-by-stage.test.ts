import { expect, test } from 'vitest';
import { milestoneFixture } from '../../../fixtures/entities.ts';
import { groupByStage } from './group-by-stage.ts';

const stage = (title: string, position: number, key_moment = false) => ({ title, position, key_moment });
const step = (
  key: string,
  position: number,
  inStage: ReturnType<typeof stage>,
  status = 'upcoming' as const,
) => milestoneFixture({ key, position, stage: inStage, status });
const keysOf = (milestones: ReturnType<typeof step>[]) =>
  groupByStage(milestones).map(({ title, steps }) => [title, ...steps.map(({ milestone }) => milestone.key)]);

const pack = stage('Contract pack', 2);
const searches = stage('Searches', 3);
const completion = stage('Completion', 7, true);

test('orders stages by position, and the steps within each stage', () => {
  const milestones = [
    step('searches_ordered', 5, searches),
    step('searches_paid', 3, searches),
    step('pack', 4, pack),
  ];
  expect(keysOf(milestones)).toEqual([
    ['Contract pack', 'pack'],
    ['Searches', 'searches_paid', 'searches_ordered'],
  ]);
});

test('returns no stages without milestones', () => {
  expect(groupByStage([])).toEqual([]);
});

test('marks only the last step of a key stage as the key moment', () => {
  const [found] = groupByStage([step('pre_completion', 15, completion), step('completed', 16, completion)]);
  expect(found?.steps.map(({ isKeyMoment }) => isKeyMoment)).toEqual([false, true]);
});

test('never marks a step that is not needed as a key moment', () => {
  const notNeeded = milestoneFixture({
    key: 'after',
    position: 17,
    stage: completion,
    status: 'not_needed',
  });
  const [found] = groupByStage([step('completed', 16, completion), notNeeded]);
  expect(found?.steps.map(({ isKeyMoment }) => isKeyMoment)).toEqual([true, false]);
});

test('marks no key moment in an ordinary stage', () => {
  const [found] = groupByStage([step('pack', 4, pack)]);
  expect(found?.steps.map(({ isKeyMoment }) => isKeyMoment)).toEqual([false]);
});
