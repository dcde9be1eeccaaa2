import { describe, expect, test } from 'vitest';
import { paymentFixture } from '../../../../fixtures/entities.ts';
import { afterOtherPayment, anotherCardNote, clearingFact, clearingNote } from './clearing.ts';

const today = '2026-11-21';
const expected = { clearing: { is_cleared: false, on: '2026-11-25' }, dispute: null };
const late = { clearing: { is_cleared: false, on: '2026-11-20' }, dispute: null };
const cleared = { clearing: { is_cleared: true, on: '2026-11-20' }, dispute: null };
const nothing = { clearing: null, dispute: null };

describe('the money of a payment', () => {
  test.each([
    [expected, { name: 'Clears', text: 'Expected by Wednesday 25 November' }],
    [late, { name: 'Clears', text: 'Not yet, which is later than expected' }],
    [cleared, { name: 'Cleared', text: 'Friday 20 November' }],
    [nothing, null],
  ])('the money of a payment with %j is described on the receipt as %j', (payment, fact) => {
    expect(clearingFact(payment, today)).toEqual(fact);
  });

  test.each([
    [expected, 'Expected to clear by 25 Nov 2026'],
    [late, 'Not cleared yet'],
    [cleared, 'Cleared 20 Nov 2026'],
    [nothing, null],
  ])('the money of a payment with %j is described in the list of payments as %j', (payment, note) => {
    expect(clearingNote(payment, today)).toBe(note);
  });

  test('money is never said to be in the client account, because only the bank’s statement shows that', () => {
    const after = (clearing: object) =>
      afterOtherPayment({ category: 'money_on_account', lines: [], ...expected, ...clearing }, today);
    expect(after(cleared)).toMatch(
      /^Cleared on Friday 20 November\. It is paid into our client account with the next payout\./,
    );
    expect(after(expected)).toMatch(
      /^We expect the money to clear by Wednesday 25 November\. It is paid into our client account with the next payout\./,
    );
    expect(after(late)).toMatch(/^The money has not cleared yet/);
    expect(after(nothing)).toBe('We have refunded all of this payment.');
  });

  test('a payment of the firm’s bill is said to go to the client account only as far as it is client money', () => {
    const { lines } = paymentFixture({});
    const own = lines.map((line) => ({ ...line, client_money: false }));
    const fees = { category: 'legal_fees', ...expected };
    expect(afterOtherPayment({ ...fees, lines: own }, today)).toBe(
      'This pays our bill, so it isn’t money that we hold for you.',
    );
    expect(afterOtherPayment({ ...fees, lines: [...own, ...lines] }, today)).toMatch(
      /^This pays our bill\. When it has cleared, the client money in it is paid into our client account/,
    );
  });

  test.each(['open', 'lost'] as const)(
    'money is not said to be in an account while its dispute is %s',
    (status) => {
      const dispute = { status, amount: 276_00, opened_at: '2026-11-20T09:00:00.000Z' };
      for (const category of ['legal_fees', 'money_on_account']) {
        expect(afterOtherPayment({ category, lines: [], ...cleared, dispute }, today)).toBe(
          'Please read the note about the card’s bank below.',
        );
      }
      expect(clearingFact({ ...cleared, dispute }, today)).toBeNull();
      expect(clearingNote({ ...cleared, dispute }, today)).toBeNull();
    },
  );
});

test('says that the firm may get in touch about another person’s card, unless all was refunded', () => {
  const gracesCard = paymentFixture({
    ...expected,
    payer: { client: null, own_card: false, name: 'Grace Hall' },
  });
  expect(anotherCardNote(gracesCard)).toMatch(/we check who paid before we use the money/);
  expect(anotherCardNote({ ...gracesCard, clearing: null })).toBeNull();
  const check = { done_at: '2026-11-23T09:00:00.000Z' };
  expect(anotherCardNote({ ...gracesCard, payer: { ...gracesCard.payer, check } })).toBeNull();
  const own = paymentFixture({ ...expected, payer: { client: null, own_card: true, name: 'Amelia Okafor' } });
  expect(anotherCardNote(own)).toBeNull();
});
