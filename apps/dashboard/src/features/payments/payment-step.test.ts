import type { CaseSearch, Payment, PaymentStatus } from '@keyturn/contract';
import { describe, expect, test } from 'vitest';
import { stepOf } from './payment-step.ts';

const caseSearch = (change: Partial<CaseSearch>) =>
  ({ payable: true, payment: null, ...change }) as CaseSearch;
const paymentIn = (status: PaymentStatus) => ({ status }) as Payment;
const started = caseSearch({ payment: { id: 'p', status: 'requires_payment_method' } });

describe('the step of a payment', () => {
  test('is unknown until the search has been read', () => {
    expect(stepOf({ caseSearch: undefined, payment: undefined, hasIntent: false, checking: false })).toBe(
      'loading',
    );
  });

  test('is the check before paying while nothing has been started', () => {
    expect(
      stepOf({ caseSearch: caseSearch({}), payment: undefined, hasIntent: false, checking: false }),
    ).toBe('confirm');
  });

  test.each([
    ['requires_payment_method', 'card'],
    ['requires_action', 'bank'],
    ['processing', 'checking'],
    ['succeeded', 'paid'],
    ['refunded', 'paid'],
  ] as const)('with a payment that %s is %s', (status, step) => {
    expect(
      stepOf({ caseSearch: started, payment: paymentIn(status), hasIntent: true, checking: false }),
    ).toBe(step);
  });

  test.each(['requires_payment_method', 'requires_action', 'processing'] as const)(
    'offers nothing to press while an answer about money is awaited and the payment still says %s',
    (status) => {
      expect(
        stepOf({ caseSearch: started, payment: paymentIn(status), hasIntent: true, checking: true }),
      ).toBe('checking');
    },
  );

  test('is paid as soon as the server says so, awaited or not', () => {
    expect(
      stepOf({ caseSearch: started, payment: paymentIn('succeeded'), hasIntent: true, checking: true }),
    ).toBe('paid');
  });

  test('is gone for a search that can no longer be paid', () => {
    expect(
      stepOf({
        caseSearch: caseSearch({ payable: false }),
        payment: undefined,
        hasIntent: false,
        checking: false,
      }),
    ).toBe('gone');
  });
});
