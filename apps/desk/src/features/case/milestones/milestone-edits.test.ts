import type { DeskMilestone } from '@keyturn/contract/staff';
import { expect, test } from 'vitest';
import { milestoneEdit, milestoneFields, toggleReached } from './milestone-edits.ts';

const today = '2026-11-23';
const milestone = { title: 'Exchange', status: 'current', version: 'v1' } as DeskMilestone;

test('an edit of a milestone has only the changed fields, and removes those that were emptied', () => {
  expect(milestoneEdit({ waiting_for: '', next_update_by: '2026-11-25' }, { version: 'v1', today })).toEqual({
    version: 'v1',
    changes: { waiting_for: null, next_update_by: '2026-11-25' },
  });
});

test('a step that is set to reached without a day was reached today', () => {
  const edited = (fields: Parameters<typeof milestoneEdit>[0]) =>
    milestoneEdit(fields, { version: 'v1', today }).changes;
  expect(edited({ status: 'done' })).toEqual({ status: 'done', reached_on: today });
  expect(edited({ status: 'done', reached_on: '' })).toEqual({ status: 'done', reached_on: today });
  expect(edited({ status: 'done', reached_on: '2026-11-20' })).toEqual({
    status: 'done',
    reached_on: '2026-11-20',
  });
});

test('one press reaches a step today, and reopens a reached one', () => {
  expect(toggleReached(milestone, today).edit.changes).toEqual({ status: 'done', reached_on: today });
  expect(toggleReached({ ...milestone, status: 'done' }, today).edit.changes).toEqual({
    status: 'current',
    reached_on: null,
  });
});

test('a second press restores what the step was before the first, unless it was changed again', () => {
  const undo = { version: 'v2', changes: { status: 'upcoming', reached_on: null }, is_undo: true } as const;
  const reached = { ...milestone, status: 'done', version: 'v2' } as const;
  expect(toggleReached(reached, today, undo).edit).toEqual(undo);
  expect(toggleReached({ ...reached, version: 'v3' }, today, undo).edit.changes.status).toBe('current');
});

test('the form of a quiet step offers the firm’s waiting texts and the stored one only, and any other step suggests them', () => {
  const texts = ['Us', 'The lender'];
  const field = (choiceWith: string | null) =>
    milestoneFields('', { texts, choiceWith }).find(({ name }) => name === 'waiting_for');
  expect(field('The seller')?.options?.map(({ value }) => value)).toEqual([
    '',
    'The seller',
    'Us',
    'The lender',
  ]);
  expect(field('Us')?.options?.map(({ value }) => value)).toEqual(['', 'Us', 'The lender']);
  expect(field(null)).toMatchObject({ suggestions: texts });
});
