import { expect, test } from 'vitest';
import { caseFixture, matterFixture, milestoneFixture } from '../../../fixtures/entities.ts';
import { lastDayAtNine, overdueUpdates } from './overdue-update.ts';

const overdue = (
  milestones: Parameters<typeof milestoneFixture>[0][],
  matter: Parameters<typeof matterFixture>[0] = {},
  conveyancingCase: Parameters<typeof caseFixture>[0] = {},
  dayAtNine = '2026-11-23',
) =>
  overdueUpdates(
    caseFixture(conveyancingCase),
    matterFixture({ status: 'active', ...matter }),
    milestones.map((milestone) =>
      milestoneFixture({ status: 'current', next_update_by: '2026-11-18', ...milestone }),
    ),
    dayAtNine,
  );

test('an update is overdue from 9 am of the working day after the promised one', () => {
  const friday = [{ next_update_by: '2026-11-20' }];
  expect(overdue(friday, {}, {}, '2026-11-22')).toBeNull();
  expect(overdue(friday)?.updates).toMatchObject([{ promisedBy: '2026-11-20' }]);
  expect(overdue([{ next_update_by: '2026-11-23' }])).toBeNull();
  expect(overdue([{ next_update_by: null }])).toBeNull();
});

test.each([
  ['2026-11-23T08:59:59Z', '2026-11-22'],
  ['2026-11-23T09:00:00Z', '2026-11-23'],
  ['2026-07-01T07:59:59Z', '2026-06-30'],
  ['2026-07-01T08:00:00Z', '2026-07-01'],
])('at %s, the latest day whose 9 am has passed in London is %s', (now, day) => {
  expect(lastDayAtNine(new Date(now))).toBe(day);
});

test.each(['done', 'upcoming', 'not_needed'] as const)(
  'a step that is %s has no overdue update',
  (status) => {
    expect(overdue([{ status }])).toBeNull();
  },
);

test.each(['on_hold', 'abandoned', 'completed'] as const)(
  'a matter that is %s has no overdue update',
  (status) => {
    expect(overdue([{}], { status })).toBeNull();
  },
);

test('writes an email to the conveyancer that names the case, the home, each step and its day, oldest first', () => {
  const found = overdue([
    { title: 'Mortgage offer', status: 'blocked', next_update_by: '2026-11-19' },
    { title: 'Replies to our questions' },
    { title: 'Searches', next_update_by: '2026-12-01' },
  ]);
  const { contact, subject, text } = found ?? expect.fail('not overdue');
  expect(contact).toEqual({ email: 'rhian@example.test', phone: '0117 496 0101' });
  expect(subject).toBe('Please send an update on case KT-2026-00421');
  expect(text((day) => `<${day}>`)).toBe(
    'Hello Rhian Morgan,\n\nYou promised an update on The Old Chapel:\n\n- Replies to our questions, by <2026-11-18>\n- Mortgage offer, by <2026-11-19>\n\nPlease tell me where this stands and when I’ll hear next.\n',
  );
});

test('leaves the telephone number of the firm when the case has no conveyancer', () => {
  expect(overdue([{}], {}, { handlers: [] })?.contact).toEqual({ email: null, phone: '0117 496 0100' });
});
