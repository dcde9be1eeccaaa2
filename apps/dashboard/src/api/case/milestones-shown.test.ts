import type { CaseStatus, Milestone } from '@keyturn/contract';
import { expect, test } from 'vitest';
import { milestonesShown } from './milestones-shown.ts';

const milestone = (status: Milestone['status']) =>
  ({
    matter_id: 'sale',
    status,
    reached_on: status === 'done' ? '2026-11-02' : null,
    waiting_for: status === 'current' ? 'You' : null,
    waiting_since: status === 'current' ? '2026-11-20' : null,
    next_update_by: status === 'current' ? '2026-11-30' : null,
    expected_from: '2026-12-01',
    expected_to: '2026-12-05',
    usually_between: { from: '2026-12-01', to: '2027-01-31' },
  }) as Milestone;
const all = [milestone('done'), milestone('current'), milestone('upcoming'), milestone('not_needed')];
const shownWhile = (status: CaseStatus) => milestonesShown(all, [{ id: 'sale', status }]);

test('all of an active matter is shown, and of one that is not read yet', () => {
  expect(shownWhile('active')).toEqual(all);
  expect(milestonesShown(all, [])).toEqual(all);
});

test('while a matter is on hold, no step is under way or expected', () => {
  const shown = shownWhile('on_hold');
  expect(shown.map(({ status }) => status)).toEqual(['done', 'upcoming', 'upcoming', 'not_needed']);
  expect(shown[0]).toEqual(all[0]);
  for (const step of shown.slice(1))
    expect(step).toMatchObject({
      waiting_for: null,
      waiting_since: null,
      next_update_by: null,
      expected_from: null,
      expected_to: null,
      usually_between: null,
    });
});

test.each(['completed', 'abandoned'] as const)(
  'of a matter that is %s, only what was done is shown',
  (status) => {
    expect(shownWhile(status)).toEqual([all[0]]);
  },
);
