import { paymentStatuses } from '@keyturn/contract';
import { describe, expect, test } from 'vitest';
import { type KnownOfPayment, stepOf } from './payment-step.ts';

const begun: KnownOfPayment = {
  payable: true,
  status: 'requires_payment_method',
  hasPayment: true,
  hasIntent: true,
  isOwn: true,
  checking: false,
  underReview: false,
};
const notBegun: KnownOfPayment = {
  ...begun,
  status: undefined,
  hasPayment: false,
  hasIntent: false,
  isOwn: false,
};

describe('the step of a payment', () => {
  test('is unknown until it is known whether it can be paid', () => {
    expect(stepOf({ ...notBegun, payable: undefined })).toBe('loading');
  });

  test('fault 19: is the word that the firm looks at it, wherever it stands', () => {
    for (const status of paymentStatuses) {
      expect(stepOf({ ...begun, status, underReview: true })).toBe('review');
    }
    expect(stepOf({ ...notBegun, payable: undefined, underReview: true })).toBe('review');
  });

  test('is the check before paying while nothing has been started', () => {
    expect(stepOf(notBegun)).toBe('confirm');
  });

  test.each([
    ['requires_payment_method', 'card'],
    ['requires_action', 'bank'],
    ['processing', 'checking'],
    ['succeeded', 'paid'],
    ['partially_refunded', 'paid'],
    ['refunded', 'paid'],
  ] as const)('with a payment that %s is %s', (status, step) => {
    expect(stepOf({ ...begun, status })).toBe(step);
  });

  test.each(['requires_payment_method', 'requires_action'] as const)(
    'offers no form for one that %s before there is an intent to pay by',
    (status) => {
      expect(stepOf({ ...begun, status, hasIntent: false })).toBe('loading');
    },
  );

  test.each(['requires_payment_method', 'requires_action', 'processing'] as const)(
    'offers nothing to press while an answer about money is awaited and the payment still says %s',
    (status) => {
      expect(stepOf({ ...begun, status, checking: true })).toBe('checking');
    },
  );

  test.each(['requires_action', 'processing'] as const)(
    'shows nothing of the bank for one that %s where another page gave the card',
    (status) => {
      expect(stepOf({ ...begun, status, isOwn: false })).toBe('elsewhere');
      expect(stepOf({ ...begun, status, isOwn: false, hasIntent: false })).toBe('elsewhere');
      expect(stepOf({ ...begun, status, isOwn: false, hasPayment: false })).toBe('loading');
    },
  );

  test('is paid as soon as the server says so, awaited or not', () => {
    expect(stepOf({ ...begun, status: 'succeeded', checking: true })).toBe('paid');
  });

  test('shows no receipt before the payment itself was read', () => {
    expect(stepOf({ ...begun, status: 'succeeded', hasPayment: false })).toBe('loading');
  });

  test('is gone for what can no longer be paid', () => {
    expect(stepOf({ ...notBegun, payable: false })).toBe('gone');
    expect(stepOf({ ...begun, status: 'cancelled', payable: false })).toBe('gone');
  });

  test('after a cancel is the check again where it can still be paid', () => {
    expect(stepOf({ ...begun, status: 'cancelled' })).toBe('confirm');
  });
});
