import type { DeskCase, DeskMatter } from '@keyturn/contract/staff';
import { expect, test } from 'vitest';
import { changedMatters, chosenStatus, openItems, storedChoices } from './status-choices.ts';

const matter = (id: string, fields: Partial<DeskMatter> = {}) =>
  ({
    id,
    version: `${id}-version`,
    status: 'active',
    completed_on: null,
    milestones: [],
    ...fields,
  }) as DeskMatter;

test('only a matter with another status is sent, with the day of completion if it was not known', () => {
  const matters = [matter('sale'), matter('purchase', { completed_on: '2026-11-20' }), matter('remortgage')];
  const choices = {
    ...storedChoices(matters),
    sale: { status: 'completed', completedOn: '2026-11-19' },
    purchase: { status: 'completed', completedOn: '2026-11-20' },
  } as const;
  expect(changedMatters(matters, choices)).toEqual([
    { id: 'sale', version: 'sale-version', status: 'completed', completed_on: '2026-11-19' },
    { id: 'purchase', version: 'purchase-version', status: 'completed' },
  ]);
  expect(chosenStatus(choices)).toBe('active');
  expect(changedMatters(matters, storedChoices(matters))).toEqual([]);
});

test('what is still open on a case is counted, and a payment under way is named', () => {
  const open = {
    tasks: [{ status: 'open' }, { status: 'done' }],
    searches: [
      { name: 'Drainage search', status: 'awaiting_payment', money: { is_under_way: true } },
      { name: 'Local search', status: 'awaiting_payment', money: null },
      { name: 'Coal search', status: 'reviewed', money: { is_under_way: false } },
    ],
    bills: [{ left: 0 }, { left: 100 }],
    matters: [
      {
        milestones: [
          { status: 'done' },
          { status: 'not_needed' },
          { status: 'current' },
          { status: 'upcoming' },
        ],
      },
    ],
  } as unknown as DeskCase;
  expect(openItems(open)).toEqual([
    'the payment for Drainage search, which is under way',
    '1 task',
    '2 searches that are not paid for',
    '1 unpaid bill',
    '2 steps that are not done',
  ]);
  expect(openItems({ tasks: [], searches: [], bills: [], matters: [] } as unknown as DeskCase)).toEqual([]);
});
