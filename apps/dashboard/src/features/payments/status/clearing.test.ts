import { describe, expect, test } from 'vitest';
import { paymentFixture } from '../../../../fixtures/entities.ts';
import { accountFact, afterOtherPayment, anotherCardNote, clearingFact, clearingNote } from './clearing.ts';

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

  test('money is said to be in the client account only since finance found it on the bank statement', () => {
    const after = (clearing: object) =>
      afterOtherPayment(
        { category: 'money_on_account', lines: [], refunded_amount: 0, ...expected, ...clearing },
        today,
      );
    expect(after(cleared)).toMatch(
      /^Cleared on Friday 20 November\. It is paid into our client account with the next payout\./,
    );
    expect(after(expected)).toMatch(
      /^We expect the money to clear by Wednesday 25 November\. It is paid into our client account with the next payout\./,
    );
    expect(after(late)).toMatch(/^The money has not cleared yet/);
    expect(after(nothing)).toBe('We have refunded all of this payment.');
    const paidOut = { paid_out_on: '2026-11-20', expected_on: '2026-11-23', in_account_since: null };
    const dueAt = (payout: object) => after({ ...cleared, payout: { ...paidOut, ...payout } });
    expect(dueAt({})).toMatch(
      /^Paid out on Friday 20 November; expected in our client account by Monday 23 November\. There we hold it/,
    );
    expect(dueAt({ expected_on: '2026-11-20' })).toMatch(
      /^Paid out on Friday 20 November; it was due in our client account by Friday 20 November\./,
    );
    expect(dueAt({ in_account_since: '2026-11-20' })).toMatch(
      /^In our client account since Friday 20 November\. There we hold it for you/,
    );
    expect(
      after({ ...cleared, payout: { ...paidOut, in_account_since: '2026-11-20' }, refunded_amount: 5 }),
    ).toMatch(/^Arrived in our client account on Friday 20 November\./);
  });

  test('the receipt says when client money arrived in the client account, but not for money that is partly the firm’s', () => {
    const payment = paymentFixture({
      ...cleared,
      payout: { paid_out_on: '2026-11-20', expected_on: '2026-11-20', in_account_since: '2026-11-20' },
    });
    expect(accountFact(payment, today)).toBe('Friday 20 November');
    expect(accountFact({ ...payment, clearing: null }, today)).toBeNull();
    const office = payment.lines.map((line) => ({ ...line, client_money: false }));
    expect(accountFact({ ...payment, lines: [...payment.lines, ...office] }, today)).toBeNull();
    expect(accountFact({ ...payment, payout: null }, today)).toBeNull();
    const dispute = { status: 'open' as const, amount: 276_00, opened_at: '2026-11-20T09:00:00.000Z' };
    expect(accountFact({ ...payment, dispute }, today)).toBeNull();
  });

  test('a payment of the firm’s bill is said to go to the client account only as far as it is client money', () => {
    const { lines } = paymentFixture({});
    const own = lines.map((line) => ({ ...line, client_money: false }));
    const fees = { category: 'legal_fees', refunded_amount: 0, ...expected };
    expect(afterOtherPayment({ ...fees, lines: own }, today)).toBe(
      'This pays our bill, so it isn’t money that we hold for you.',
    );
    const inAccount = {
      paid_out_on: '2026-11-20',
      expected_on: '2026-11-20',
      in_account_since: '2026-11-20',
    };
    expect(
      afterOtherPayment({ ...fees, ...cleared, lines: [...own, ...lines], payout: inAccount }, today),
    ).toBe('This pays our bill. The client money in it: in our client account since Friday 20 November.');
    expect(afterOtherPayment({ ...fees, lines: [...own, ...lines] }, today)).toMatch(
      /^This pays our bill\. When it has cleared, the client money in it is paid into our client account/,
    );
  });

  test.each(['open', 'lost'] as const)(
    'money is not said to be in an account while its dispute is %s',
    (status) => {
      const dispute = { status, amount: 276_00, opened_at: '2026-11-20T09:00:00.000Z' };
      for (const category of ['legal_fees', 'money_on_account']) {
        expect(
          afterOtherPayment({ category, lines: [], refunded_amount: 0, ...cleared, dispute }, today),
        ).toBe('Please read the note about the card’s bank below.');
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
