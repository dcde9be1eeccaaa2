import type { DeskMatter } from '@keyturn/contract/staff';
import { expect, test } from 'vitest';
import {
  depositText,
  type EnteredExchange,
  enteredExchange,
  exchangeMark,
  faultsOfExchange,
} from './exchange-entries.ts';

const complete: EnteredExchange = {
  exchanged_on: '2026-11-23',
  completion_on: '2026-12-18',
  deposit_held_as: 'stakeholder',
  deposit_amount: '52,000.00',
  authorised_by: ' Rhian Morgan ',
  authorised_on: '2026-11-20',
  is_confirmed: true,
};

test('asks for everything that an exchange fixes, and for its confirmation', () => {
  expect(faultsOfExchange(complete)).toEqual({});
  const empty: EnteredExchange = {
    exchanged_on: '',
    completion_on: '',
    deposit_held_as: '',
    deposit_amount: '',
    authorised_by: ' ',
    authorised_on: '',
    is_confirmed: false,
  };
  expect(Object.keys(faultsOfExchange(empty))).toEqual([
    'exchanged_on',
    'completion_on',
    'deposit_held_as',
    'authorised_by',
    'authorised_on',
    'is_confirmed',
  ]);
});

test.each(['', '0', '0.00', 'ten', '1,2'])(
  'rejects the deposit "%s", unless no deposit is paid',
  (deposit_amount) => {
    expect(faultsOfExchange({ ...complete, deposit_amount })).toHaveProperty('deposit_amount');
    expect(faultsOfExchange({ ...complete, deposit_amount, deposit_held_as: 'none' })).toEqual({});
  },
);

test('sends the deposit in pence, and none if none is paid', () => {
  expect(exchangeMark(complete, '0123456789abcdef')).toEqual({
    version: '0123456789abcdef',
    exchanged_on: '2026-11-23',
    completion_on: '2026-12-18',
    deposit: { amount: 5_200_000, held_as: 'stakeholder' },
    authorised_by: 'Rhian Morgan',
    authorised_on: '2026-11-20',
  });
  expect(exchangeMark({ ...complete, deposit_held_as: 'none' }, '0123456789abcdef').deposit).toBeNull();
});

test('says how the deposit is held', () => {
  const authority = { authorised_by: 'Rhian Morgan', authorised_on: '2026-11-20' };
  expect(depositText({ ...authority, deposit: { amount: 5_200_000, held_as: 'agent' } })).toBe(
    '£52,000.00, held as agent for the seller',
  );
  expect(depositText(authority)).toBe('None');
  expect(depositText(null)).toBeNull();
});

test('fills the form with what is known of an exchange, and asks again who authorised one without details', () => {
  const matter = {
    exchanged_on: null,
    target_completion_on: '2026-12-18',
    exchange: null,
    milestones: [{ key: 'exchanged', status: 'done', reached_on: '2026-11-20' }],
  } as unknown as DeskMatter;
  const today = '2026-11-23';
  expect(enteredExchange(matter, today)).toMatchObject({
    exchanged_on: '2026-11-20',
    completion_on: '2026-12-18',
    authorised_on: '',
  });
  const exchange = {
    deposit: { amount: 5_200_000, held_as: 'agent' as const },
    authorised_by: 'Rhian Morgan',
    authorised_on: '2026-11-20',
  };
  expect(enteredExchange({ ...matter, exchanged_on: '2026-11-21', exchange }, today)).toMatchObject({
    exchanged_on: '2026-11-21',
    deposit_held_as: 'agent',
    deposit_amount: '52000.00',
    authorised_by: 'Rhian Morgan',
    authorised_on: '2026-11-20',
  });
  expect(enteredExchange({ ...matter, milestones: [] }, today).authorised_on).toBe(today);
});
