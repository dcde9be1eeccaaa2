import { type CaseSearch, type PaymentStatus, paymentStatuses } from '@keyturn/contract';
import { describe, expect, test } from 'vitest';
import { caseFixture, caseSearchFixture } from '../../../fixtures/entities.ts';
import { amountDueNow, isBeingPaid, isDueNow, isPayableNow } from './payable-now.ts';

const withPayment = (status: PaymentStatus, given = {}) =>
  caseSearchFixture({ payment: { id: 'payment', status, payer: null, dispute: null }, ...given });

describe('a payable search', () => {
  test('a search can be paid before and during its payment', () => {
    expect(isPayableNow(caseSearchFixture())).toBe(true);
    expect(isPayableNow(withPayment('requires_payment_method'))).toBe(true);
    expect(isPayableNow(withPayment('requires_action'))).toBe(true);
  });

  test('a search cannot be paid while the bank is confirming the payment, or when the firm has closed it', () => {
    expect(isPayableNow(withPayment('processing'))).toBe(false);
    expect(isPayableNow(caseSearchFixture({ payable: false }))).toBe(false);
  });

  test('without card payments, a search is due until it is paid', () => {
    const unpaid = { payable: false, status: 'awaiting_payment' } as const;
    const isDue = (caseSearch: CaseSearch) => isDueNow(caseSearch, false);
    expect(isDue(caseSearchFixture(unpaid))).toBe(true);
    expect(isDue(withPayment('processing', unpaid))).toBe(false);
    expect(isDue(caseSearchFixture({ ...unpaid, under_review: true }))).toBe(false);
    expect(isDue(caseSearchFixture({ ...unpaid, status: 'paid' }))).toBe(false);
    expect(isDueNow(caseSearchFixture(unpaid), true)).toBe(false);
  });

  test('a search is being paid until the bank has confirmed the payment', () => {
    expect(paymentStatuses.filter((status) => isBeingPaid(withPayment(status)))).toEqual([
      'requires_action',
      'processing',
    ]);
  });
});

describe('the amount due', () => {
  const conveyancingCase = caseFixture({ amount_due: 331_20 });

  test('the amount due is that of the case unless the bank is confirming a payment', () => {
    expect(amountDueNow(conveyancingCase, undefined)).toBe(331_20);
    expect(amountDueNow(conveyancingCase, [caseSearchFixture(), withPayment('requires_action')])).toBe(
      331_20,
    );
  });

  test('the amount due excludes payments that the bank is confirming, and is never negative', () => {
    expect(amountDueNow(conveyancingCase, [withPayment('processing')])).toBe(55_20);
    expect(amountDueNow(caseFixture({ amount_due: 0 }), [withPayment('processing')])).toBe(0);
  });

  test('the amount due is not reduced by a search that is no longer payable', () => {
    expect(amountDueNow(conveyancingCase, [withPayment('processing', { payable: false })])).toBe(331_20);
  });
});
