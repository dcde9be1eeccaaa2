import type { Matter } from '@keyturn/contract';
import { describe, expect, test } from 'vitest';
import { matterFixture, milestoneFixture } from '../../../../fixtures/entities.ts';
import { movingDay } from './moving-day.ts';

const today = '2026-11-21';
const sale = matterFixture({ id: 'sale', matter_type: 'sale' });
const purchase = matterFixture({ id: 'purchase' });
const completionOf = (matter: string, overrides = {}) =>
  milestoneFixture({
    id: `completion of ${matter}`,
    matter_id: matter,
    key: 'completed',
    expected_from: '2027-01-25',
    expected_to: '2027-02-05',
    ...overrides,
  });

describe('movingDay', () => {
  test('returns the completion of the purchase as the moving day of clients who sell and buy', () => {
    const milestones = [completionOf('sale', { expected_to: '2027-01-29' }), completionOf('purchase')];
    expect(movingDay([sale, purchase], milestones, today)).toEqual({
      label: 'Moving day',
      when: 'Expected between 25 January and 5 February 2027',
    });
  });

  test.each([
    ['a purchase alone, which may be of a home to let', [purchase], 'Getting the keys'],
    ['a purchase after a completed sale', [{ ...sale, status: 'completed' }, purchase], 'Getting the keys'],
    ['a purchase while the sale is on hold', [{ ...sale, status: 'on_hold' }, purchase], 'Getting the keys'],
    ['a sale alone', [sale], 'Completion'],
    [
      'a sale while the purchase is on hold',
      [sale, { ...purchase, status: 'on_hold' }],
      'Completion of your sale',
    ],
  ] as [string, Matter[], string][])('does not show a moving day for %s', (_, matters, label) => {
    const milestones = [
      completionOf('sale', { expected_from: '2027-01-11', expected_to: '2027-01-22' }),
      completionOf('purchase'),
    ];
    const when = label.startsWith('Completion')
      ? 'Expected between 11 and 22 January 2027'
      : 'Expected between 25 January and 5 February 2027';
    expect(movingDay(matters, milestones, today)).toEqual({ label, when });
  });

  test('calls the moving day completion if no one moves, and once it is done', () => {
    const remortgage = matterFixture({ id: 'remortgage', matter_type: 'remortgage' });
    expect(movingDay([remortgage], [completionOf('remortgage')], today)?.label).toBe('Completion');
    const done = completionOf('purchase', { status: 'done', reached_on: '2026-11-20' });
    expect(movingDay([purchase], [done], today)).toEqual({
      label: 'Completion',
      when: 'Friday 20 November 2026',
    });
  });

  test.each(['on_hold', 'abandoned'] as const)('returns no moving day for a matter that is %s', (status) => {
    expect(movingDay([{ ...purchase, status }], [completionOf('purchase')], today)).toBeNull();
  });

  test('returns no moving day without a completion that is needed', () => {
    expect(movingDay([purchase], [completionOf('sale')], today)).toBeNull();
    expect(movingDay([purchase], [completionOf('purchase', { status: 'not_needed' })], today)).toBeNull();
    expect(movingDay([], [], today)).toBeNull();
  });
});
