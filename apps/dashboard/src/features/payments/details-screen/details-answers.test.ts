import { hiddenCharacterNotAllowed, type OrderWordingVersion, paymentWordings } from '@keyturn/contract';
import { expect, test } from 'vitest';
import { caseFixture, caseSearchFixture, clientFixture } from '../../../../fixtures/entities.ts';
import {
  type DetailsAnswers,
  findFaults,
  initialAnswers,
  orderRequestFor,
  toConfirmation,
} from './details-answers.ts';

const owner = (first_name: string) => ({ id: first_name, first_name });
const clientOf = (...owners: string[]) =>
  clientFixture({ conveyancing_case: caseFixture({ clients: owners.map(owner) }) });
const amelia = clientOf('Amelia', 'Tom');
const order = orderRequestFor(caseSearchFixture({ order_wording: '2026-12-unknown' }));
const answers: DetailsAnswers = {
  method: 'card',
  orderWords: order?.words ?? '',
  ownCard: true,
  payerName: '',
  receiptEmail: 'amelia@example.test',
};

test('complete details have no faults', () => {
  expect(findFaults(answers, order)).toEqual({});
});

test('every missing answer is reported, and missing consent to order only for a search', () => {
  const empty = { method: 'card' as const, orderWords: '', ownCard: null, payerName: '', receiptEmail: '' };
  expect(Object.keys(findFaults(empty, order)).sort()).toEqual(['order-now', 'own-card', 'receipt-email']);
  expect(Object.keys(findFaults(empty, null)).sort()).toEqual(['own-card', 'receipt-email']);
});

test("someone else's card needs a name, and no field accepts a card number", () => {
  expect(findFaults({ ...answers, ownCard: false }, order)).toHaveProperty('payer-name');
  const number = '4242 4242 4242 4242';
  expect(
    Object.keys(findFaults({ ...answers, ownCard: false, payerName: number, receiptEmail: number }, order)),
  ).toEqual(['payer-name', 'receipt-email']);
});

test('a confirmation names the client for their own card, and the wording that was shown', () => {
  expect(toConfirmation(answers, amelia, order)).toEqual({
    own_card: true,
    payer_name: `${amelia.first_name} ${amelia.last_name}`,
    receipt_email: 'amelia@example.test',
    wording: '2026-11',
    order_wording: '2026-12-unknown',
    order_words: order?.words,
  });
});

test('a sole client is asked nothing about another client', () => {
  const { wording } = toConfirmation(answers, clientOf('Priya'), null);
  expect(JSON.stringify(paymentWordings[wording])).not.toMatch(/owner|share/);
  expect(toConfirmation(answers, clientFixture({ conveyancing_case: null }), null).wording).toBe(wording);
});

test('the form starts with the last confirmation', () => {
  const before = toConfirmation({ ...answers, ownCard: false, payerName: 'Grace Okafor' }, amelia, order);
  expect(initialAnswers(amelia, before)).toEqual({
    ...answers,
    ownCard: false,
    payerName: 'Grace Okafor',
  });
  expect(initialAnswers(amelia, null)).toEqual({
    ...answers,
    orderWords: '',
    ownCard: null,
    receiptEmail: amelia.email,
  });
});

test('a client asks for a search in the words of their right to cancel, followed by the refund rule of the search alone', () => {
  const wordsOf = (order_wording: OrderWordingVersion, cancellation_ends_on: string | null) =>
    orderRequestFor(caseSearchFixture({ order_wording, cancellation_ends_on }))?.words;
  expect(wordsOf('2026-12-before-end', '2026-12-03')).toBe(
    'Please order before my cancellation period ends on Thursday 3 December 2026. If I cancel after that, I pay for what you have ordered. Full refund until we order it.',
  );
  expect(wordsOf('2026-12-no-period', '2026-11-03')).toBe(
    'Order this search for me. Full refund until we order it.',
  );
  expect(wordsOf('2026-12-unknown', null)).toBe(
    'Please order this search now, even if my cancellation period is still running. This does not affect any right I have to cancel your services. Full refund until we order it.',
  );
  const { order_wording: _none, ...fromLastRelease } = caseSearchFixture();
  expect(orderRequestFor(fromLastRelease)).toBeNull();
});

test('the request to order is not confirmed any more once its words have changed', () => {
  const before = toConfirmation(answers, amelia, order);
  const again = initialAnswers(amelia, before);
  const changed = orderRequestFor(caseSearchFixture({ order_wording: '2026-12-no-period' }));
  expect(findFaults(again, order)).toEqual({});
  expect(Object.keys(findFaults(again, changed))).toEqual(['order-now']);
});

test('a payer’s name with a hidden character has a message', () => {
  expect(findFaults({ ...answers, ownCard: false, payerName: 'Grace\u202e Hall' }, order)).toEqual({
    'payer-name': hiddenCharacterNotAllowed,
  });
});
