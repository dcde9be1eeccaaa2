import { caseSearchStatuses } from '@keyturn/contract';
import { describe, expect, test } from 'vitest';
import { nextStatus } from './search-states.ts';

const moves = (payment?: { paidAt: Date | null }) =>
  caseSearchStatuses.flatMap((before) =>
    caseSearchStatuses
      .filter((said) => said !== before && 'status' in nextStatus(before, said, payment))
      .map((said) => `${before} to ${said}`),
  );
const forward = [
  'awaiting_payment to paid',
  'awaiting_payment to ordered',
  'awaiting_payment to returned',
  'awaiting_payment to reviewed',
  'awaiting_payment to cancelled',
  'paid to ordered',
  'paid to returned',
  'paid to reviewed',
  'paid to cancelled',
  'ordered to returned',
  'ordered to reviewed',
  'ordered to cancelled',
  'returned to reviewed',
];

describe('the firm moves a search', () => {
  test('forward, and cancels it while it has not come back', () => {
    expect(moves()).toEqual(forward);
  });

  test('out of awaiting_payment only when no payment is under way', () => {
    expect(moves({ paidAt: null })).toEqual(forward.filter((move) => !move.startsWith('awaiting_payment')));
    expect(nextStatus('awaiting_payment', 'paid', { paidAt: null })).toEqual({
      refused: 'cannot go from awaiting_payment to paid: a payment is under way',
    });
  });

  test('not back to awaiting_payment: what was paid here stays paid, whatever an older feed says', () => {
    const payment = { paidAt: new Date() };
    expect(nextStatus('paid', 'awaiting_payment', payment)).toEqual({ status: 'paid' });
    expect(nextStatus('paid', 'awaiting_payment', undefined)).toHaveProperty('refused');
    expect(nextStatus('ordered', 'awaiting_payment', payment)).toHaveProperty('refused');
  });
});
