import { describe, expect, test } from 'vitest';
import type { ChangeFact } from '../history.ts';
import { checkHistory } from './check-history.ts';
import { first, type Good, goodHistory, second } from './good-history.ts';

/** The change of the first payment when its refund of £1 fails. */
const failedRefund = (refund: string): ChangeFact => ({
  payment: 'paid',
  from: 'partially_refunded',
  to: 'partially_refunded',
  cause: 'charge.refund.updated',
  event: 'evt_9',
  money: 100,
  refund,
});

const doctored: [rule: string, what: string, doctor: (good: Good) => void][] = [
  ['complete', 'no facts', ({ history }) => history.pop()],
  [
    'nothing is paid for twice',
    'a second payment of the same search',
    ({ facts }) => {
      second(facts.payments).searchId = 'search';
      facts.charges.push({ intent: 'pi_over', amount: 15_000, operation: 2 });
    },
  ],
  [
    'nothing is paid for twice',
    'a payment of more than the price',
    ({ facts }) => {
      first(facts.searches).price = 11_400;
    },
  ],
  [
    'nothing is paid for twice',
    'two payments of a search after a restore, whatever it costs now',
    ({ facts, then }) => {
      then({ type: 'restore' }, { type: 'recovery', exitCode: 0, lines: [] });
      first(facts.searches).price = 30_000;
      second(facts.payments).searchId = 'search';
      facts.charges.push({ intent: 'pi_over', amount: 15_000, operation: 2 });
    },
  ],
  [
    'every charge is recorded',
    'a charge of an intent that no payment has',
    ({ facts }) => facts.charges.push({ intent: 'pi_unknown', amount: 1, operation: 2 }),
  ],
  [
    'every charge is recorded',
    'a charge of a cancelled payment',
    ({ facts }) => facts.charges.push({ intent: 'pi_over', amount: 15_000, operation: 2 }),
  ],
  [
    'every charge is recorded',
    'a charge of another amount',
    ({ facts }) => {
      first(facts.charges).amount = 12_001;
    },
  ],
  [
    'a search with a successful payment is paid',
    'a search that is not marked',
    ({ facts }) => {
      first(facts.searches).status = 'awaiting_payment';
    },
  ],
  ['every recorded payment was charged', 'a success without a charge', ({ facts }) => facts.charges.pop()],
  [
    "the record's money sums",
    'a recorded amount that was not charged',
    ({ facts }) => {
      first(facts.changes).money = 1;
    },
  ],
  [
    'states follow the transition table',
    'a cancelled payment that became successful',
    ({ facts }) =>
      facts.changes.push({
        payment: 'over',
        from: 'cancelled',
        to: 'requires_payment_method',
        cause: 'payment_requested',
        event: null,
        money: 0,
        refund: null,
      }),
  ],
  ['states follow the transition table', 'an unrecorded transition', ({ facts }) => facts.changes.pop()],
  [
    'each event is applied once',
    'an event with two effects',
    ({ facts }) => facts.changes.push({ ...first(facts.changes.slice(2)) }),
  ],
  [
    'each event is applied once',
    'a refund that failed twice because of one event',
    ({ facts }) => facts.changes.push(failedRefund('one'), failedRefund('one')),
  ],
  [
    'each event is applied once',
    'an event that was never applied',
    ({ facts }) => {
      first(facts.events).outcome = null;
    },
  ],
  [
    'receipt numbers have no gaps',
    'a receipt number that was skipped',
    ({ facts }) => {
      first(facts.payments).receiptNumber = 'R-2026-000002';
    },
  ],
  [
    'receipt numbers have no gaps',
    'a payment without a receipt',
    ({ facts }) => {
      first(facts.payments).receiptNumber = null;
    },
  ],
  [
    'each payment has one history entry',
    'a duplicate entry',
    ({ facts }) => {
      first(facts.cases).historyEntries = 2;
    },
  ],
  ['each payment has one history entry', 'no entry', ({ facts }) => facts.cases.pop()],
  [
    'every intent belongs to a payment',
    'an intent without a payment',
    ({ facts }) => facts.intents.push({ ...first(facts.intents), id: 'pi_unknown', payment: 'unknown' }),
  ],
  [
    'every intent belongs to a payment',
    'a second intent that was charged',
    ({ facts }) => {
      facts.intents.push({ ...first(facts.intents), id: 'pi_second' });
      facts.charges.push({ intent: 'pi_second', amount: 12_000, operation: 2 });
    },
  ],
  ['every payment has its intent', 'an intent that no longer exists', ({ facts }) => facts.intents.pop()],
  [
    'every payment has its intent',
    'an intent that was paid in another way',
    ({ facts }) => {
      first(facts.intents).refundedAmount = 100;
    },
  ],
  [
    'no intent stays open',
    'an intent that has been open for hours',
    ({ facts }) => {
      second(facts.intents).status = 'requires_action';
    },
  ],
  [
    'every screen agrees',
    'an owner who sees an old state',
    ({ facts }) => {
      first(facts.screens).payments.paid = { status: 'processing', refundedAmount: 0, dispute: null };
    },
  ],
  [
    'every screen agrees',
    'an owner who does not see the payment',
    ({ facts }) => {
      first(facts.screens).payments = {};
    },
  ],
  [
    'every screen agrees',
    'a wrong sum',
    ({ facts }) => {
      first(facts.screens).amountPaid = 0;
    },
  ],
  [
    'every screen agrees',
    'a paid search that can be paid',
    ({ facts }) => {
      first(facts.screens).searches.search = { status: 'paid', payment: 'paid', payable: true };
    },
  ],
  [
    'final states do not change',
    'a payment that was read as open after it was read as paid',
    ({ then, invoke }) =>
      then(invoke(7, 'list payments', {}), { type: 'ok', operation: 7, payments: { paid: 'processing' } }),
  ],
  [
    'final states do not change',
    'a search that was read as unpaid after it was paid',
    ({ then, invoke }) =>
      then(invoke(7, 'list searches', {}), {
        type: 'ok',
        operation: 7,
        searches: { search: 'awaiting_payment' },
      }),
  ],
  [
    'a successful payment is recorded as successful',
    'a success at the provider that was not recorded',
    ({ then, invoke }) =>
      then(invoke(7, 'pay', { payment: 'over' }), {
        type: 'ok',
        operation: 7,
        code: 'succeeded',
        payment: 'over',
      }),
  ],
  [
    'a cancelled payment is not charged',
    'a payment that was charged after its cancellation',
    ({ facts }) => facts.charges.push({ intent: 'pi_over', amount: 15_000, operation: 2 }),
  ],
  [
    'a paid search is not paid again',
    'a payment started after the search was paid',
    ({ then, invoke }) =>
      then(invoke(7, 'start search payment', { search: 'search' }), {
        type: 'ok',
        operation: 7,
        payments: { paid: 'requires_payment_method' },
      }),
  ],
  [
    'an answered payment still exists',
    'an answered payment that does not exist',
    ({ then, invoke }) =>
      then(invoke(7, 'list payments', {}), { type: 'ok', operation: 7, payments: { lost: 'processing' } }),
  ],
  [
    'a failure is not charged',
    'a declined card that was charged',
    ({ then, invoke, facts }) => {
      then(invoke(7, 'pay', { payment: 'paid' }), { type: 'fail', operation: 7, code: 'card_declined' });
      first(facts.charges).operation = 7;
    },
  ],
  [
    'the payer is the client whose card was charged',
    'a card of the joint client, whose payment names the other client',
    ({ then, invoke, facts }) => {
      then(invoke(7, 'pay', { payment: 'paid' }, 1), { type: 'ok', operation: 7 });
      first(facts.charges).operation = 7;
    },
  ],
  [
    'forged webhooks are rejected',
    'a forged webhook that was answered 200',
    ({ then }) => then({ type: 'forgery', status: 200 }),
  ],
  [
    'nothing fails unexpectedly',
    'an unexpected answer',
    ({ then, invoke }) =>
      then(invoke(7, 'list payments', {}), { type: 'info', operation: 7, code: 'unexpected' }),
  ],
  [
    'a client pays the price that they agreed to',
    'a payment of another amount than its client was shown',
    ({ then, invoke }) =>
      then(invoke(7, 'retry', { search: 'other', price: 14_000 }), {
        type: 'ok',
        operation: 7,
        payments: { over: 'requires_payment_method' },
      }),
  ],
  [
    'a client pays by the method that they chose',
    'a payment by bank whose client chose a card',
    ({ then, invoke }) =>
      then(invoke(7, 'start search payment', { search: 'other', method: 'card' }), {
        type: 'ok',
        operation: 7,
        payments: { over: 'requires_payment_method' },
      }),
  ],
  [
    'every payment has its intent',
    'a card payment that was recovered as a payment by bank',
    ({ facts }) => {
      first(facts.payments).method = 'bank';
    },
  ],
  [
    'an answered payment still exists',
    'a paid payment that a restore has lost',
    ({ then, invoke }) =>
      then(
        invoke(7, 'list payments', {}),
        { type: 'ok', operation: 7, payments: { lost: 'succeeded' } },
        { type: 'restore' },
        { type: 'recovery', exitCode: 0, lines: [] },
      ),
  ],
  [
    'final states do not change',
    'a payment that was read as open after the recovery',
    ({ then, invoke }) =>
      then(
        { type: 'restore' },
        { type: 'recovery', exitCode: 0, lines: [] },
        invoke(7, 'list payments', {}),
        { type: 'ok', operation: 7, payments: { paid: 'processing' } },
      ),
  ],
  [
    'a paid search is not paid again',
    'a payment started for a paid search before the recovery',
    ({ then, invoke }) =>
      then(
        { type: 'restore' },
        invoke(7, 'start search payment', { search: 'search' }),
        { type: 'ok', operation: 7, payments: { again: 'requires_payment_method' } },
        { type: 'recovery', exitCode: 0, lines: [] },
      ),
  ],
  [
    'a recovery restores all payments',
    'a recovery that left payments paused',
    ({ then }) => then({ type: 'recovery', exitCode: 1, lines: ['pi_paid cannot be recovered'] }),
  ],
  [
    'every intent belongs to a payment',
    'a paid intent whose payment a restore has lost',
    ({ then, facts }) => {
      then({ type: 'restore' });
      facts.intents.push({ ...first(facts.intents), id: 'pi_lost', payment: 'lost' });
    },
  ],
];

describe('checkHistory', () => {
  test('checkHistory finds no violations in a valid history', () => {
    expect(checkHistory(goodHistory().history)).toEqual([]);
  });

  test.each(doctored)('checkHistory reports a violation of "%s": %s', (rule, _what, doctor) => {
    const good = goodHistory();
    doctor(good);
    expect(checkHistory(good.history).map((violation) => violation.rule)).toContain(rule);
  });

  test('checkHistory returns the operations that led to a violation, and the nemesis actions between them', () => {
    const { history, facts } = goodHistory();
    history.splice(3, 0, { type: 'nemesis', did: 'kill a server' });
    first(facts.intents).status = 'cancelled';
    const [violation] = checkHistory(history);
    expect(violation?.text).toContain('pi_paid');
    const shown = violation?.entries.map((entry) => ('operation' in entry ? entry.operation : entry.type));
    expect(shown).toEqual([1, 1, 'nemesis', 2, 2, 5, 5, 6, 6]);
  });

  test('checkHistory accepts the loss of unpaid payments by a restore, and earlier states until the recovery', () => {
    const { history, facts, then, invoke } = goodHistory();
    then(
      invoke(7, 'list payments', {}),
      { type: 'ok', operation: 7, payments: { lost: 'requires_action' } },
      { type: 'restore' },
      invoke(8, 'list payments', {}),
      {
        type: 'ok',
        operation: 8,
        payments: { paid: 'processing' },
        searches: { search: 'awaiting_payment' },
      },
      { type: 'recovery', exitCode: 0, lines: [] },
    );
    const lost = { ...first(facts.intents), id: 'pi_lost', payment: 'lost', status: 'cancelled' };
    facts.intents.push({ ...lost, refundedAmount: 0 });
    expect(checkHistory(history)).toEqual([]);
  });

  test('checkHistory accepts a price that the feed lowered while a restored database lacked the payment', () => {
    const { history, facts, then } = goodHistory();
    then({ type: 'restore' }, { type: 'recovery', exitCode: 0, lines: [] });
    first(facts.searches).price = 11_400;
    expect(checkHistory(history)).toEqual([]);
  });

  test('checkHistory accepts that one event leads to the changes of several refunds', () => {
    const { history, facts } = goodHistory();
    facts.changes.push(failedRefund('one'), failedRefund('two'));
    expect(checkHistory(history).map(({ rule }) => rule)).not.toContain('each event is applied once');
  });

  test('checkHistory accepts an unused intent that another intent replaced', () => {
    const { history, facts } = goodHistory();
    facts.intents.push({ ...first(facts.intents), id: 'pi_first', status: 'requires_payment_method' });
    expect(checkHistory(history)).toEqual([]);
  });
});
