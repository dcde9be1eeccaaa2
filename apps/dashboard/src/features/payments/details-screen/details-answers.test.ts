import { hiddenCharacterNotAllowed, paymentWordings } from '@keyturn/contract';
import { expect, test } from 'vitest';
import { caseFixture, clientFixture } from '../../../../fixtures/entities.ts';
import { type DetailsAnswers, findFaults, initialAnswers, toConfirmation } from './details-answers.ts';

const owner = (first_name: string) => ({ id: first_name, first_name });
const clientOf = (...owners: string[]) =>
  clientFixture({ conveyancing_case: caseFixture({ clients: owners.map(owner) }) });
const amelia = clientOf('Amelia', 'Tom');
const answers: DetailsAnswers = {
  method: 'card',
  orderNow: true,
  ownCard: true,
  payerName: '',
  receiptEmail: 'amelia@example.test',
};

test('complete details have no faults', () => {
  expect(findFaults(answers, true)).toEqual({});
});

test('every missing answer is reported, and missing consent to order only for a search', () => {
  const empty = { method: 'card' as const, orderNow: false, ownCard: null, payerName: '', receiptEmail: '' };
  expect(Object.keys(findFaults(empty, true)).sort()).toEqual(['order-now', 'own-card', 'receipt-email']);
  expect(Object.keys(findFaults(empty, false)).sort()).toEqual(['own-card', 'receipt-email']);
});

test("someone else's card needs a name, and no field accepts a card number", () => {
  expect(findFaults({ ...answers, ownCard: false }, true)).toHaveProperty('payer-name');
  const number = '4242 4242 4242 4242';
  expect(
    Object.keys(findFaults({ ...answers, ownCard: false, payerName: number, receiptEmail: number }, true)),
  ).toEqual(['payer-name', 'receipt-email']);
});

test('a confirmation names the client for their own card, and the wording that was shown', () => {
  expect(toConfirmation(answers, amelia)).toEqual({
    own_card: true,
    payer_name: `${amelia.first_name} ${amelia.last_name}`,
    receipt_email: 'amelia@example.test',
    wording: '2026-11',
  });
});

test('a sole client is asked nothing about another client', () => {
  const { wording } = toConfirmation(answers, clientOf('Priya'));
  expect(JSON.stringify(paymentWordings[wording])).not.toMatch(/owner|share/);
  expect(toConfirmation(answers, clientFixture({ conveyancing_case: null })).wording).toBe(wording);
});

test('the form starts with the last confirmation', () => {
  const before = toConfirmation({ ...answers, ownCard: false, payerName: 'Grace Okafor' }, amelia);
  expect(initialAnswers(amelia, before, true)).toEqual({
    ...answers,
    ownCard: false,
    payerName: 'Grace Okafor',
  });
  expect(initialAnswers(amelia, null, true)).toEqual({
    ...answers,
    orderNow: false,
    ownCard: null,
    receiptEmail: amelia.email,
  });
});

test('a payer’s name with a hidden character has a message', () => {
  expect(findFaults({ ...answers, ownCard: false, payerName: 'Grace\u202e Hall' }, true)).toEqual({
    'payer-name': hiddenCharacterNotAllowed,
  });
});
