import { describe, expect, test } from 'vitest';
import { changedFields, conflictsOf, rebase } from './form-values.ts';

const before = { waiting_for: 'The council', since: '', by: '2026-11-24' };

test('a form has changed the fields whose text differs, apart from spaces around it', () => {
  expect(changedFields(before, { ...before, waiting_for: ' The council ' })).toEqual([]);
  expect(changedFields(before, { ...before, since: '2026-11-20', by: '' })).toEqual(['since', 'by']);
});

describe('an edit that a colleague was faster than', () => {
  const mine = { ...before, by: '2026-11-30' };

  test('finds the fields of an edit that conflict with values saved by a colleague meanwhile', () => {
    const theirs = { ...before, waiting_for: 'The lender', by: '2026-12-01' };
    expect(conflictsOf({ before, mine, theirs })).toEqual([
      { name: 'waiting_for', mine: 'The council', theirs: 'The lender', isOverwritten: false },
      { name: 'by', mine: '2026-11-30', theirs: '2026-12-01', isOverwritten: true },
    ]);
  });

  test('an edit does not conflict where both members have entered the same, or only one has changed the field', () => {
    expect(conflictsOf({ before, mine, theirs: mine })).toEqual([]);
    expect(conflictsOf({ before, mine, theirs: before })).toEqual([]);
  });

  test('an edit with a conflict continues with the member’s own entries and the colleague’s other values', () => {
    const theirs = { waiting_for: 'The lender', since: '2026-11-20', by: '2026-12-01' };
    expect(rebase({ before, mine, theirs })).toEqual({ ...theirs, by: '2026-11-30' });
  });
});

test('entries of a list stay together, so that a colleague’s lines are not mixed with the member’s', () => {
  const lines = (...texts: [string, string, string, string]) => ({
    'lines.0.description': texts[0],
    'lines.0.net': texts[1],
    'lines.1.description': texts[2],
    'lines.1.net': texts[3],
  });
  const before = lines('Our fees', '900.00', 'Search fees', '300.00');
  const mine = lines('Our fees', '950.00', 'Search fees', '300.00');
  // The colleague has removed the first line.
  const theirs = lines('Search fees', '300.00', '', '');
  expect(rebase({ before, mine, theirs })).toEqual(mine);
  expect(conflictsOf({ before, mine, theirs }).map(({ isOverwritten }) => isOverwritten)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(rebase({ before, mine: before, theirs })).toEqual(theirs);
});
