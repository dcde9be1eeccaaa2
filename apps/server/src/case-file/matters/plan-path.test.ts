import type { MilestonePath, PathStep } from '@keyturn/contract/staff';
import { describe, expect, test } from 'vitest';
import { comparePaths, keysAfter, withPath } from './plan-path.ts';

const step = (key: string, stage: number, change: Partial<PathStep> = {}): PathStep => ({
  key,
  title: key,
  explanation: key,
  actor: 'us',
  usual_working_days: null,
  stage,
  usual_weeks: null,
  ...change,
});
const pathOf = (...steps: PathStep[]): MilestonePath => ({
  stages: ['Start', 'End'].map((title) => ({ title, key_moment: false })),
  steps,
});
const former = pathOf(step('a', 0), step('b', 0), step('c', 1));
const keysIn = (compared: object) =>
  Object.fromEntries(
    Object.entries(compared).map(([name, steps]) => [name, steps.map(({ key }: PathStep) => key)]),
  );

describe('comparing two paths', () => {
  test.each<[string, MilestonePath, object]>([
    ['nothing', former, { added: [], removed: [], changed: [] }],
    [
      'a new step',
      pathOf(step('a', 0), step('n', 0), step('b', 0), step('c', 1)),
      { added: ['n'], removed: [], changed: [] },
    ],
    ['a missing step', pathOf(step('a', 0), step('c', 1)), { added: [], removed: ['b'], changed: [] }],
    [
      'other words',
      pathOf(step('a', 0, { title: 'A' }), step('b', 0), step('c', 1)),
      { added: [], removed: [], changed: ['a'] },
    ],
    [
      'another order',
      pathOf(step('b', 0), step('a', 0), step('c', 1)),
      { added: [], removed: [], changed: ['b', 'a'] },
    ],
    [
      'another stage',
      pathOf(step('a', 0), step('b', 1), step('c', 1)),
      { added: [], removed: [], changed: ['b'] },
    ],
    [
      'the order of the list alone',
      pathOf(step('c', 1), step('a', 0), step('b', 0)),
      { added: [], removed: [], changed: [] },
    ],
  ])('comparing two paths finds %s', (_what, current, expected) => {
    expect(keysIn(comparePaths(former, current))).toEqual(expected);
  });

  test('comparing two paths finds the steps of a renamed stage', () => {
    const current = {
      ...former,
      stages: [{ title: 'Opening', key_moment: false }, ...former.stages.slice(1)],
    };
    expect(keysIn(comparePaths(former, current)).changed).toEqual(['a', 'b']);
  });
});

test('comparing two paths finds the steps with usual times if only the day of their figures differs', () => {
  const usual = { usual_working_days: { from: 1, to: 2 } };
  const path = pathOf(step('a', 0), step('b', 0, usual), step('c', 1));
  const later = { ...path, figures_of: '2026-11-01' };
  expect(keysIn(comparePaths(path, later))).toEqual({ added: [], removed: [], changed: ['b'] });
});

describe('the milestones of a matter with another path', () => {
  const done = { key: 'a', status: 'done', reached_on: '2026-11-01' } as const;
  const current = { key: 'b', status: 'current', waiting_for: 'you' } as const;
  const former = ['a', 'b', 'c'];

  test('milestones keep their state in the order of a new path', () => {
    expect(withPath({ milestones: [done, current] }, former, pathOf(step('b', 0), step('a', 1)))).toEqual([
      current,
      done,
    ]);
  });

  test('a matter does not need a new step that precedes a finished one, and needs any other', () => {
    const path = pathOf(step('first', 0), step('a', 0), step('second', 0), step('b', 0), step('c', 1));
    expect(withPath({ milestones: [done, current] }, former, path)).toEqual([
      { key: 'first', status: 'not_needed' },
      done,
      current,
    ]);
  });

  test('a matter still needs an existing step that precedes a finished one', () => {
    const path = pathOf(step('c', 0), step('a', 0), step('b', 1));
    expect(withPath({ milestones: [done, current] }, former, path)).toEqual([done, current]);
  });
});

test('the steps after a step include those of later stages', () => {
  expect(keysAfter(pathOf(step('c', 1), step('a', 0), step('b', 0)), 'a')).toEqual(['b', 'c']);
});
