import { expect, test } from 'vitest';
import { paymentFixture } from '../../../../fixtures/entities.ts';
import { enteredAs } from './continue-payment.tsx';

const payment = paymentFixture({
  kind: 'other',
  category: 'money_on_account',
  case_search_id: null,
  reference: 'Bill 7',
  payer: { client: { id: 'amelia', first_name: 'Amelia' }, own_card: false, name: 'Grace Okafor' },
  confirmation: { receipt_email: 'amelia@example.test', wording: '2026-11' },
});

test('continues a payment that was entered on another device with its own answers, as the same payment', () => {
  expect(enteredAs(payment)).toMatchObject({
    category: 'money_on_account',
    amount: payment.amount,
    reference: 'Bill 7',
    paymentId: payment.id,
    confirmed: {
      own_card: false,
      payer_name: 'Grace Okafor',
      receipt_email: 'amelia@example.test',
      wording: '2026-11',
    },
  });
});

test('asks again for answers in a wording that this build does not know', () => {
  const confirmation = { receipt_email: 'amelia@example.test', wording: '2031-01' };
  expect(enteredAs({ ...payment, confirmation }).confirmed).toBeNull();
});
