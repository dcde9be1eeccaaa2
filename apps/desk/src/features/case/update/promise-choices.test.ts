import { describe, expect, test } from 'vitest';
import { promisedDay, promiseState, stepsUnderWay, usualSteps } from './promise-choices.ts';

/** A Friday. */
const today = '2026-11-20';
const dayOf = (choice: Parameters<typeof promisedDay>[0]['choice'], day = '', closedOn: string[] = []) =>
  promisedDay({ choice, day }, { today, closedOn });

describe('the day of a new promise', () => {
  test('the day of a new promise counts working days of the firm', () => {
    expect([dayOf('1'), dayOf('2'), dayOf('5'), dayOf('10')]).toEqual([
      '2026-11-23',
      '2026-11-24',
      '2026-11-27',
      '2026-12-04',
    ]);
    expect(dayOf('1', '', ['2026-11-23'])).toBe('2026-11-24');
  });

  test('the day of a new promise can be chosen from today on', () => {
    expect(dayOf('day', '2026-11-20')).toBe('2026-11-20');
    expect(dayOf('day', '2027-02-01')).toBe('2027-02-01');
  });

  test.each(['', '2026-11-19', '20.11.2026', '0026-11-25', '2028-11-25'])(
    'the day of a new promise cannot be %j',
    (day) => {
      expect(dayOf('day', day)).toBeUndefined();
    },
  );

  test('there is no day of a new promise if the promises stay unchanged', () => {
    expect(dayOf('same', '2026-11-25')).toBeNull();
  });
});

const step = (id: string, status: string, next_update_by: string | null = null) => ({
  id,
  status,
  next_update_by,
});

describe('the steps that a new promise is for', () => {
  test('a new promise is for the steps under way that have a promise', () => {
    const steps = [step('a', 'done', '2026-11-01'), step('b', 'current'), step('c', 'blocked', '2026-11-25')];
    expect(usualSteps(steps)).toEqual(['c']);
    expect(stepsUnderWay(steps).map(({ id }) => id)).toEqual(['b', 'c']);
  });

  test('a new promise is for the first step under way if none has a promise', () => {
    expect(usualSteps([step('a', 'upcoming'), step('b', 'current'), step('c', 'current')])).toEqual(['b']);
    expect(usualSteps([step('a', 'upcoming')])).toEqual([]);
  });
});

test('the promise of a case is the earliest of its steps under way', () => {
  expect(promiseState([step('a', 'done', '2026-11-01')], today)).toEqual({ kind: 'none' });
  const later = [step('b', 'current', '2026-11-25'), step('c', 'blocked', '2026-11-24')];
  expect(promiseState(later, today)).toEqual({ kind: 'later', day: '2026-11-24' });
  expect(promiseState([...later, step('d', 'current', today)], today)).toEqual({ kind: 'today', day: today });
  expect(promiseState([...later, step('d', 'current', '2026-11-19')], today)).toEqual({
    kind: 'missed',
    day: '2026-11-19',
  });
});
