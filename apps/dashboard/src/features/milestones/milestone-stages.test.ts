import { describe, expect, test } from 'vitest';
import { milestoneFixture } from '../../../fixtures/entities.ts';
import { stagesOfMatter } from './milestone-stages.ts';

const stage = (title: string, position: number, key_moment = false) => ({ title, position, key_moment });
const step = (key: string, position: number, of: ReturnType<typeof stage>, status = 'upcoming' as const) =>
  milestoneFixture({ key, position, stage: of, status });
const keysOf = (milestones: ReturnType<typeof step>[]) =>
  stagesOfMatter(milestones).map(({ title, steps }) => [title, ...steps.map((one) => one.milestone.key)]);

const pack = stage('Contract pack', 2);
const searches = stage('Searches', 3);
const completion = stage('Completion', 7, true);

describe('the stages of a matter', () => {
  test('stand in their order, and the steps of each in theirs', () => {
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

  test('are none without milestones', () => {
    expect(stagesOfMatter([])).toEqual([]);
  });

  test('of a key moment end in it: what leads up to it is a step as others are', () => {
    const [found] = stagesOfMatter([
      step('pre_completion', 15, completion),
      step('completed', 16, completion),
    ]);
    expect(found?.steps.map(({ isKeyMoment }) => isKeyMoment)).toEqual([false, true]);
  });

  test('never make a key moment of a step that is not needed', () => {
    const unneeded = milestoneFixture({
      key: 'after',
      position: 17,
      stage: completion,
      status: 'not_needed',
    });
    const [found] = stagesOfMatter([step('completed', 16, completion), unneeded]);
    expect(found?.steps.map(({ isKeyMoment }) => isKeyMoment)).toEqual([true, false]);
  });

  test('of the usual kind have no key moment', () => {
    const [found] = stagesOfMatter([step('pack', 4, pack)]);
    expect(found?.steps.map(({ isKeyMoment }) => isKeyMoment)).toEqual([false]);
  });
});
