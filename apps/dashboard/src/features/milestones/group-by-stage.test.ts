import type { Milestone } from '@keyturn/contract';
import { expect, test } from 'vitest';
import { milestoneFixture } from '../../../fixtures/entities.ts';
import { countSteps, groupByStage, splitPath, splitSteps } from './group-by-stage.ts';

const stage = (title: string, position: number, key_moment = false) => ({ title, position, key_moment });
const step = (
  key: string,
  position: number,
  inStage: ReturnType<typeof stage>,
  status: Milestone['status'] = 'upcoming',
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

test('joins stages in a row in which everything is done or not needed', () => {
  const opening = stage('Opening', 1);
  const sections = splitPath(
    groupByStage([
      step('instructed', 1, opening, 'done'),
      step('pack', 2, pack, 'done'),
      step('leasehold_pack', 3, pack, 'not_needed'),
      step('searches_paid', 4, searches, 'current'),
      step('completed', 5, completion, 'done'),
    ]),
  );
  expect(
    sections.map((section) =>
      section.kind === 'done' ? section.stages.map(({ title }) => title) : section.stage.title,
    ),
  ).toEqual([['Opening', 'Contract pack'], 'Searches', ['Completion']]);
});

const runsOf = (foldUpcoming: boolean, ...statuses: Milestone['status'][]) => {
  const steps = statuses.map((status, index) => ({
    milestone: step(`step ${index}`, index, searches, status),
    isKeyMoment: false,
  }));
  return splitSteps(steps, { foldUpcoming }).map((run) => [run.isOpen, run.steps.length]);
};

test('closes the steps that are done, and later ones only where there is little room', () => {
  const statuses = ['done', 'not_needed', 'current', 'upcoming', 'upcoming'] as const;
  expect(runsOf(false, ...statuses)).toEqual([
    [false, 2],
    [true, 3],
  ]);
  expect(runsOf(true, ...statuses)).toEqual([
    [false, 2],
    [true, 1],
    [false, 2],
  ]);
});

test('never closes a step that is held up, nor a key moment that is still to come', () => {
  expect(runsOf(true, 'blocked', 'current')).toEqual([[true, 2]]);
  const exchange = { milestone: step('exchanged', 1, completion), isKeyMoment: true };
  expect(splitSteps([exchange], { foldUpcoming: true })).toEqual([{ steps: [exchange], isOpen: true }]);
});

test('counts closed steps by what they are', () => {
  const count = (...statuses: Milestone['status'][]) =>
    countSteps(
      statuses.map((status, index) => ({
        milestone: step(`step ${index}`, index, searches, status),
        isKeyMoment: false,
      })),
    );
  expect(count('done')).toBe('1 step done');
  expect(count('done', 'done', 'not_needed')).toBe('2 steps done, 1 not needed');
  expect(count('not_needed', 'not_needed')).toBe('2 steps not needed');
  expect(count('upcoming', 'upcoming', 'upcoming')).toBe('3 steps to come');
});
