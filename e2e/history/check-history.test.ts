import { describe, expect, test } from 'vitest';
import { checkHistory } from './check-history.ts';
import type { FactsEntry, HistoryEntry } from './history.ts';

/** One client pays for one search, and cancels a second payment. */
function goodHistory() {
  const facts: FactsEntry = {
    type: 'facts',
    now: '2026-11-21T15:00:00.000Z',
    payments: [
      {
        id: 'paid',
        caseId: 'case',
        searchId: 'search',
        status: 'succeeded',
        amount: 12_000,
        refundedAmount: 0,
        intent: 'pi_paid',
        paidAt: '2026-11-21T10:00:00.000Z',
        payer: 0,
        receiptNumber: 'R-2026-000001',
      },
      {
        id: 'over',
        caseId: 'case',
        searchId: 'other',
        status: 'cancelled',
        amount: 15_000,
        refundedAmount: 0,
        intent: 'pi_over',
        paidAt: null,
        payer: 0,
        receiptNumber: null,
      },
    ],
    changes: [
      { payment: 'paid', from: null, to: 'requires_payment_method', cause: 'started', event: null, money: 0 },
      { payment: 'over', from: null, to: 'requires_payment_method', cause: 'started', event: null, money: 0 },
      {
        payment: 'paid',
        from: 'requires_payment_method',
        to: 'succeeded',
        cause: 'payment_intent.succeeded',
        event: 'evt_1',
        money: 12_000,
      },
      {
        payment: 'over',
        from: 'requires_payment_method',
        to: 'cancelled',
        cause: 'payment_cancelled',
        event: null,
        money: 0,
      },
    ],
    events: [{ id: 'evt_1', intent: 'pi_paid', outcome: 'applied' }],
    searches: [
      { id: 'search', caseId: 'case', status: 'paid', price: 12_000 },
      { id: 'other', caseId: 'case', status: 'awaiting_payment', price: 15_000 },
    ],
    cases: [{ id: 'case', historyEntries: 1 }],
    receiptCounters: { '2026': 1 },
    intents: [
      {
        id: 'pi_paid',
        payment: 'paid',
        status: 'succeeded',
        amount: 12_000,
        refundedAmount: 0,
        created: '2026-11-21T10:00:00.000Z',
      },
      {
        id: 'pi_over',
        payment: 'over',
        status: 'cancelled',
        amount: 15_000,
        refundedAmount: 0,
        created: '2026-11-21T10:00:00.000Z',
      },
    ],
    charges: [{ intent: 'pi_paid', amount: 12_000, operation: 2 }],
    screens: [
      {
        client: 0,
        caseId: 'case',
        amountPaid: 12_000,
        payments: { paid: { status: 'succeeded', refundedAmount: 0 } },
        searches: {
          search: { status: 'paid', payment: 'paid', payable: false },
          other: { status: 'awaiting_payment', payment: null, payable: true },
        },
      },
    ],
  };
  const invoke = (
    operation: number,
    kind: Extract<HistoryEntry, { type: 'invoke' }>['kind'],
    asked: Record<string, unknown>,
    client = 0,
  ): HistoryEntry => ({ type: 'invoke', operation, client, kind, asked });
  const history: HistoryEntry[] = [
    { type: 'run', seed: 1, operations: 5, clients: 1 },
    invoke(1, 'start search payment', { search: 'search' }),
    { type: 'ok', operation: 1, payment: 'paid', payments: { paid: 'requires_payment_method' } },
    invoke(2, 'pay', { payment: 'paid', search: 'search', method: 'pm_card_visa' }),
    { type: 'ok', operation: 2, code: 'succeeded', payment: 'paid' },
    invoke(3, 'list payments', {}),
    { type: 'ok', operation: 3, payments: { paid: 'succeeded' } },
    invoke(4, 'cancel', { payment: 'over', search: 'other' }),
    { type: 'ok', operation: 4, payments: { over: 'cancelled' } },
    { type: 'forgery', status: 400 },
    facts,
  ];
  /** Appends an operation after all others of a client. */
  const then = (...entries: HistoryEntry[]) => history.splice(-1, 0, ...entries);
  return { history, facts, invoke, then };
}

type Good = ReturnType<typeof goodHistory>;
const first = <Thing>(things: Thing[]): Thing => {
  const [thing] = things;
  if (thing === undefined) throw new Error('there is none');
  return thing;
};
const second = <Thing>(things: Thing[]): Thing => first(things.slice(1));

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
    'what is paid is paid',
    'a search that is not marked',
    ({ facts }) => {
      first(facts.searches).status = 'awaiting_payment';
    },
  ],
  ['every recorded payment was charged', 'a success without a charge', ({ facts }) => facts.charges.pop()],
  [
    "the record's money sums",
    'money in the record that was not taken',
    ({ facts }) => {
      first(facts.changes).money = 1;
    },
  ],
  [
    'states move along the table',
    'a payment that came back from the dead',
    ({ facts }) =>
      facts.changes.push({
        payment: 'over',
        from: 'cancelled',
        to: 'requires_payment_method',
        cause: 'payment_requested',
        event: null,
        money: 0,
      }),
  ],
  ['states move along the table', 'a move that is not recorded', ({ facts }) => facts.changes.pop()],
  [
    'each event is applied once',
    'an event with two effects',
    ({ facts }) => facts.changes.push({ ...first(facts.changes.slice(2)) }),
  ],
  [
    'each event is applied once',
    'an event that was left lying',
    ({ facts }) => {
      first(facts.events).outcome = null;
    },
  ],
  [
    'receipts have no gap',
    'a number that was left out',
    ({ facts }) => {
      first(facts.payments).receiptNumber = 'R-2026-000002';
    },
  ],
  [
    'receipts have no gap',
    'a payment without a receipt',
    ({ facts }) => {
      first(facts.payments).receiptNumber = null;
    },
  ],
  [
    'the history tells of each payment once',
    'an entry that came twice',
    ({ facts }) => {
      first(facts.cases).historyEntries = 2;
    },
  ],
  ['the history tells of each payment once', 'no entry', ({ facts }) => facts.cases.pop()],
  [
    'no intent without its payment',
    'an intent without a payment',
    ({ facts }) => facts.intents.push({ ...first(facts.intents), id: 'pi_unknown', payment: 'unknown' }),
  ],
  [
    'no intent without its payment',
    'a second intent that was charged',
    ({ facts }) => {
      facts.intents.push({ ...first(facts.intents), id: 'pi_second' });
      facts.charges.push({ intent: 'pi_second', amount: 12_000, operation: 2 });
    },
  ],
  ['no payment without its intent', 'an intent that is gone', ({ facts }) => facts.intents.pop()],
  [
    'no payment without its intent',
    'an intent that was paid in another way',
    ({ facts }) => {
      first(facts.intents).refundedAmount = 100;
    },
  ],
  [
    'no intent stays open',
    'an intent of this morning',
    ({ facts }) => {
      second(facts.intents).status = 'requires_action';
    },
  ],
  [
    'every screen agrees',
    'an owner who sees an old state',
    ({ facts }) => {
      first(facts.screens).payments.paid = { status: 'processing', refundedAmount: 0 };
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
    'another sum',
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
    'nothing goes back',
    'a payment that was read as open after it was read as paid',
    ({ then, invoke }) =>
      then(invoke(5, 'list payments', {}), { type: 'ok', operation: 5, payments: { paid: 'processing' } }),
  ],
  [
    'nothing goes back',
    'a search that was read as unpaid after it was paid',
    ({ then, invoke }) =>
      then(invoke(5, 'list searches', {}), {
        type: 'ok',
        operation: 5,
        searches: { search: 'awaiting_payment' },
      }),
  ],
  [
    'a success is a success',
    'a success at the provider that was not recorded',
    ({ then, invoke }) =>
      then(invoke(5, 'pay', { payment: 'over' }), {
        type: 'ok',
        operation: 5,
        code: 'succeeded',
        payment: 'over',
      }),
  ],
  [
    'a cancelled payment is not charged',
    'a cancelled payment that was charged after',
    ({ facts }) => facts.charges.push({ intent: 'pi_over', amount: 15_000, operation: 2 }),
  ],
  [
    'a paid search is not paid again',
    'a payment started after the search was paid',
    ({ then, invoke }) =>
      then(invoke(5, 'start search payment', { search: 'search' }), {
        type: 'ok',
        operation: 5,
        payments: { paid: 'requires_payment_method' },
      }),
  ],
  [
    'what was answered is kept',
    'a payment that was answered and is not there',
    ({ then, invoke }) =>
      then(invoke(5, 'list payments', {}), { type: 'ok', operation: 5, payments: { lost: 'processing' } }),
  ],
  [
    'a failure is not charged',
    'a card that was refused and charged',
    ({ then, invoke, facts }) => {
      then(invoke(5, 'pay', { payment: 'paid' }), { type: 'fail', operation: 5, code: 'card_declined' });
      first(facts.charges).operation = 5;
    },
  ],
  [
    'the payer is the client whose card was charged',
    'a card of the joint owner, whose payment names the other client',
    ({ then, invoke, facts }) => {
      then(invoke(5, 'pay', { payment: 'paid' }, 1), { type: 'ok', operation: 5 });
      first(facts.charges).operation = 5;
    },
  ],
  [
    'no forged webhook is taken',
    'a forged webhook that was answered 200',
    ({ then }) => then({ type: 'forgery', status: 200 }),
  ],
  [
    'nothing fails unexpectedly',
    'an unexpected answer',
    ({ then, invoke }) =>
      then(invoke(5, 'list payments', {}), { type: 'info', operation: 5, code: 'unexpected' }),
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
    expect(shown).toEqual([1, 1, 'nemesis', 2, 2]);
  });

  test('checkHistory accepts an unused intent that another intent replaced', () => {
    const { history, facts } = goodHistory();
    facts.intents.push({ ...first(facts.intents), id: 'pi_first', status: 'requires_payment_method' });
    expect(checkHistory(history)).toEqual([]);
  });
});
