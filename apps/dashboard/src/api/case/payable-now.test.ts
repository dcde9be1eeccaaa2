import { type PaymentStatus, paymentStatuses } from '@keyturn/contract';
import { describe, expect, test } from 'vitest';
import { caseFixture, caseSearchFixture } from '../../../fixtures/entities.ts';
import { amountDueNow, isBeingPaid, isPayableNow } from './payable-now.ts';

const withPayment = (status: PaymentStatus, given = {}) =>
  caseSearchFixture({ payment: { id: 'payment', status }, ...given });

describe('a search', () => {
  test('can be paid before its payment is begun, and while that is not finished', () => {
    expect(isPayableNow(caseSearchFixture())).toBe(true);
    expect(isPayableNow(withPayment('requires_payment_method'))).toBe(true);
    expect(isPayableNow(withPayment('requires_action'))).toBe(true);
  });

  test('is not asked to be paid while the bank is confirming it, nor when the firm has closed it', () => {
    expect(isPayableNow(withPayment('processing'))).toBe(false);
    expect(isPayableNow(caseSearchFixture({ payable: false }))).toBe(false);
  });

  test('is being paid from the card that was given to the last word of the bank', () => {
    expect(paymentStatuses.filter((status) => isBeingPaid(withPayment(status)))).toEqual([
      'requires_action',
      'processing',
    ]);
  });
});

describe('what is due', () => {
  const conveyancingCase = caseFixture({ amount_due: 331_20 });

  test('is what the firm says', () => {
    expect(amountDueNow(conveyancingCase, undefined)).toBe(331_20);
    expect(amountDueNow(conveyancingCase, [caseSearchFixture(), withPayment('requires_action')])).toBe(
      331_20,
    );
  });

  test('is less what the bank is confirming, and never less than nothing', () => {
    expect(amountDueNow(conveyancingCase, [withPayment('processing')])).toBe(55_20);
    expect(amountDueNow(caseFixture({ amount_due: 0 }), [withPayment('processing')])).toBe(0);
  });

  test('has left out already what is no longer to be paid', () => {
    expect(amountDueNow(conveyancingCase, [withPayment('processing', { payable: false })])).toBe(331_20);
  });
});
