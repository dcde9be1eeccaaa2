import { paymentStatuses } from '@keyturn/contract';
import { expect, test } from 'vitest';
import { type StepFacts, stepFor } from './payment-step.ts';

const started: StepFacts = {
  payable: true,
  status: 'requires_payment_method',
  hasPayment: true,
  hasIntent: true,
  payer: 'me',
  isOwn: true,
  checking: false,
  underReview: false,
};
const notStarted: StepFacts = {
  ...started,
  status: undefined,
  hasPayment: false,
  hasIntent: false,
  isOwn: false,
};

test('the payment screen is loading until it is known whether the payment can be paid', () => {
  expect(stepFor({ ...notStarted, payable: undefined })).toBe('loading');
});

test('fault 19: a payment under review shows the review notice in any status', () => {
  for (const status of paymentStatuses) {
    expect(stepFor({ ...started, status, underReview: true })).toBe('review');
  }
  expect(stepFor({ ...notStarted, payable: undefined, underReview: true })).toBe('review');
});

test('a payment that has not been started asks for confirmation first', () => {
  expect(stepFor(notStarted)).toBe('confirm');
});

test.each([
  ['requires_payment_method', 'card'],
  ['requires_action', 'bank'],
  ['processing', 'checking'],
  ['succeeded', 'paid'],
  ['partially_refunded', 'paid'],
  ['refunded', 'paid'],
] as const)('a payment of this tab with status %s shows the step "%s"', (status, step) => {
  expect(stepFor({ ...started, status })).toBe(step);
});

test.each(['requires_payment_method', 'requires_action'] as const)(
  'a payment with status %s shows no form before its intent has loaded',
  (status) => {
    expect(stepFor({ ...started, status, hasIntent: false })).toBe('loading');
  },
);

test('the card form waits for the payment, which says whose card is to be entered', () => {
  expect(stepFor({ ...started, hasPayment: false })).toBe('loading');
});

test.each(['requires_payment_method', 'requires_action', 'processing'] as const)(
  'a payment with status %s offers nothing to press while an answer about money is expected',
  (status) => {
    expect(stepFor({ ...started, status, checking: true })).toBe('checking');
  },
);

test.each(['requires_action', 'processing'] as const)(
  'a payment with status %s hides the bank check where the card was given on another page',
  (status) => {
    expect(stepFor({ ...started, status, isOwn: false })).toBe('elsewhere');
    expect(stepFor({ ...started, status, isOwn: false, hasIntent: false })).toBe('elsewhere');
    expect(stepFor({ ...started, status, isOwn: false, hasPayment: false })).toBe('loading');
  },
);

test.each(['requires_payment_method', 'requires_action', 'processing'] as const)(
  'a payment of the joint client with status %s never offers a card form',
  (status) => {
    for (const isOwn of [true, false]) {
      expect(stepFor({ ...started, status, payer: 'other', isOwn })).toBe('elsewhere');
      expect(stepFor({ ...started, status, payer: 'other', isOwn, hasPayment: false })).toBe('loading');
      expect(stepFor({ ...started, status, payer: undefined, isOwn })).toBe('loading');
    }
  },
);

test('a payment that no client has confirmed asks for confirmation before the card', () => {
  expect(stepFor({ ...started, payer: 'no_one' })).toBe('confirm');
  expect(stepFor({ ...started, payer: 'no_one', payable: false })).toBe('gone');
});

test('a payment shows as paid as soon as the server says so, even while an answer is expected', () => {
  expect(stepFor({ ...started, status: 'succeeded', checking: true })).toBe('paid');
});

test('a paid payment shows no receipt before the payment itself has been read', () => {
  expect(stepFor({ ...started, status: 'succeeded', hasPayment: false })).toBe('loading');
});

test('a payment that can no longer be paid shows as gone', () => {
  expect(stepFor({ ...notStarted, payable: false })).toBe('gone');
  expect(stepFor({ ...started, status: 'cancelled', payable: false })).toBe('gone');
});

test('a cancelled payment that can still be paid asks for confirmation again', () => {
  expect(stepFor({ ...started, status: 'cancelled' })).toBe('confirm');
});
