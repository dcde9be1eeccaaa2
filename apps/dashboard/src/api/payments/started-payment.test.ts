import { expect, test } from 'vitest';
import { caseSearchFixture } from '../../../fixtures/entities.ts';
import { payerOf, startedPayment } from './started-payment.ts';

const amelia = { id: 'amelia', first_name: 'Amelia' };

test('distinguishes the client’s own payment from the joint client’s by id, not by name', () => {
  expect(payerOf(amelia, 'amelia')).toEqual({ kind: 'me' });
  expect(payerOf({ id: 'another', first_name: 'Amelia' }, 'amelia')).toEqual({
    kind: 'other',
    firstName: 'Amelia',
  });
  expect(payerOf(null, 'amelia')).toEqual({ kind: 'no_one' });
});

test.each([
  [
    'requires_payment_method',
    'amelia',
    'You’ve started to pay for this. Nothing has been charged.',
    'Continue',
  ],
  [
    'requires_payment_method',
    'tom',
    'Amelia has started to pay for this. Nothing has been charged.',
    'See this payment',
  ],
  [
    'requires_action',
    'amelia',
    'Your bank needs you to confirm this payment. Nothing has been charged.',
    'Continue',
  ],
  [
    'requires_action',
    'tom',
    'Amelia still has to confirm this payment with the bank. Nothing has been charged.',
    'See this payment',
  ],
] as const)(
  'names the payer of a started payment: Amelia’s payment in %s, seen by %s',
  (status, reader, text, action) => {
    const caseSearch = caseSearchFixture({
      payment: { id: 'payment', status, payer: amelia, dispute: null },
    });
    expect(startedPayment(caseSearch, reader)).toMatchObject({ text, action });
  },
);

test('returns no text about a payment that no client has confirmed, or that is finished', () => {
  const unconfirmed = {
    id: 'payment',
    status: 'requires_payment_method',
    payer: null,
    dispute: null,
  } as const;
  expect(startedPayment(caseSearchFixture({ payment: unconfirmed }), 'tom')).toBeNull();
  const paid = { id: 'payment', status: 'succeeded', payer: amelia, dispute: null } as const;
  expect(startedPayment(caseSearchFixture({ payment: paid }), 'tom')).toBeNull();
  expect(startedPayment(caseSearchFixture({ payment: null }), 'tom')).toBeNull();
});
