import { expect, test } from 'vitest';
import { attemptAfter, newAttempt } from './payment-attempt.ts';

const attempt = newAttempt('payment', '4');

test('an attempt adopts a decline with a new revision of the intent', () => {
  const intent = { status: 'requires_payment_method', revision: '5', decline: 'card_declined' } as const;
  expect(attemptAfter(attempt, intent)).toEqual({ ...attempt, decline: 'card_declined' });
});

test('an attempt does not adopt the decline of an earlier attempt', () => {
  const intent = { status: 'requires_payment_method', revision: '4', decline: 'card_declined' } as const;
  expect(attemptAfter(attempt, intent).decline).toBe('no_response');
});

test('an attempt that never reached the bank has no response', () => {
  const intent = { status: 'requires_payment_method', revision: '4', decline: null } as const;
  expect(attemptAfter(attempt, intent).decline).toBe('no_response');
});

test.each(['requires_action', 'processing', 'succeeded'] as const)(
  'an attempt that is %s has no decline',
  (status) => {
    expect(attemptAfter(attempt, { status, revision: '5', decline: null })).toBe(attempt);
  },
);
