import { caseSearchStatuses } from '@keyturn/contract';
import { describe, expect, test } from 'vitest';
import { nextStatus } from './search-states.ts';

const moves = (payment?: { paidAt: Date | null }) =>
  caseSearchStatuses.flatMap((before) =>
    caseSearchStatuses
      .filter((sent) => sent !== before && 'status' in nextStatus(before, sent, payment))
      .map((sent) => `${before} to ${sent}`),
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

describe('nextStatus', () => {
  test('moves a search forward, and cancels it until it has been returned', () => {
    expect(moves()).toEqual(forward);
  });

  test('a search leaves awaiting_payment only when no payment is in progress', () => {
    expect(moves({ paidAt: null })).toEqual(forward.filter((move) => !move.startsWith('awaiting_payment')));
    expect(nextStatus('awaiting_payment', 'paid', { paidAt: null })).toEqual({
      rejected: 'cannot go from awaiting_payment to paid: a payment is in progress',
    });
  });

  test('keeps a search paid when an older feed says awaiting_payment', () => {
    const payment = { paidAt: new Date() };
    expect(nextStatus('paid', 'awaiting_payment', payment)).toEqual({ status: 'paid' });
    expect(nextStatus('paid', 'awaiting_payment', undefined)).toHaveProperty('rejected');
    expect(nextStatus('ordered', 'awaiting_payment', payment)).toHaveProperty('rejected');
  });

  test('offers a fully refunded search again only if the feed sent another status before', () => {
    const payment = { paidAt: new Date(), isRefunded: true };
    const offer = (sentBefore: 'paid' | 'awaiting_payment' | null) =>
      nextStatus('paid', 'awaiting_payment', payment, sentBefore);
    expect(offer('paid')).toEqual({ status: 'awaiting_payment', isOfferedAgain: true });
    expect(offer('awaiting_payment')).toEqual({ status: 'paid' });
    expect(offer(null)).toEqual({ status: 'paid' });
    const kept = nextStatus('paid', 'awaiting_payment', { ...payment, isRefunded: false }, 'paid');
    expect(kept).toEqual({ status: 'paid' });
  });
});
