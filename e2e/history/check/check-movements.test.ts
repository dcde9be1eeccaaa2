import { expect, test } from 'vitest';
import { checkHistory } from './check-history.ts';
import { first, type Good, goodHistory, second } from './good-history.ts';

const doctored: [rule: string, what: string, doctor: (good: Good) => void][] = [
  ['the ledger has every movement', 'a missing movement', ({ facts }) => facts.record.movements.pop()],
  [
    'the ledger has every movement',
    'a movement of another amount',
    ({ facts }) => {
      first(facts.record.movements).amount = 12_001;
    },
  ],
  [
    'the ledger has every movement',
    'a movement that the provider does not have',
    ({ facts }) => facts.record.movements.push({ ...first(facts.record.movements), id: 'txn_other' }),
  ],
  [
    'the ledger agrees with the record',
    'a payment with more money than was moved',
    ({ facts }) => facts.provider.movements.splice(0, 1),
  ],
  [
    'the ledger agrees with the record',
    'a refunded amount that is not the sum of the refunds',
    ({ facts }) => {
      first(facts.record.refunds).amount = 500;
    },
  ],
  ['every refund is recorded', 'a missing refund', ({ facts }) => facts.record.refunds.pop()],
  [
    'every refund is recorded',
    'a failed refund that is recorded as made',
    ({ facts }) => {
      second(facts.record.refunds).status = 'succeeded';
    },
  ],
  [
    'every refund is recorded',
    'a refund that is recorded twice',
    ({ facts }) => facts.record.refunds.push(first(facts.record.refunds)),
  ],
  [
    'a request is refunded once',
    'two refunds of one request',
    ({ facts }) => facts.provider.refunds.push({ ...first(facts.provider.refunds), id: 're_again' }),
  ],
  [
    'an answered refund is made',
    'a refund that was answered as made and does not exist',
    ({ facts }) => facts.provider.refunds.splice(0, 1),
  ],
  [
    'a refused refund is not made',
    'a refund that was answered as failed and exists',
    ({ facts }) => {
      second(facts.provider.refunds).status = 'succeeded';
    },
  ],
  ['every dispute is recorded', 'a missing dispute', ({ facts }) => facts.record.disputes.pop()],
  [
    'every dispute is recorded',
    'a lost dispute that is recorded as open',
    ({ facts }) => {
      first(facts.provider.disputes).outcome = 'lost';
    },
  ],
  [
    'every dispute is recorded',
    'a dispute whose money the bank has kept',
    ({ facts }) => {
      first(facts.provider.disputes).taken = 11_400;
    },
  ],
  [
    'every dispute is recorded',
    'a payment that does not show its dispute',
    ({ facts }) => {
      first(facts.payments).dispute = null;
    },
  ],
  [
    'every screen agrees',
    'an owner who does not see the dispute',
    ({ facts }) => {
      first(facts.screens).payments.paid = {
        status: 'partially_refunded',
        refundedAmount: 600,
        dispute: null,
      };
    },
  ],
  ['every fraud warning is recorded', 'a missing warning', ({ facts }) => facts.record.warnings.pop()],
  ['every review is recorded', 'a missing open review', ({ facts }) => facts.record.reviews.pop()],
  [
    'every review is recorded',
    'a closed review that is recorded as open',
    ({ facts }) => {
      first(facts.provider.reviews).isOpen = false;
    },
  ],
  [
    'the commands find no discrepancies',
    'a ledger command that found a discrepancy',
    ({ facts }) => {
      first(facts.commands).exitCode = 1;
    },
  ],
  [
    'the commands find no discrepancies',
    'a check that found more than an unused intent',
    ({ facts }) => {
      facts.commands = [
        {
          name: 'check',
          exitCode: 1,
          lines: [
            'second_intent pi_2: the intent is requires_payment_method with £1.00 for payment paid',
            'captured_not_recorded paid: the payment is cancelled, but £120.00 was captured',
            '2 discrepancies found: 2 payments and 3 intents since 2026-11-01T00:00:00.000Z.',
          ],
        },
      ];
    },
  ],
];

test.each(doctored)(
  'checkHistory reports a violation of the rule about money movements "%s": %s',
  (rule, _what, doctor) => {
    const good = goodHistory();
    doctor(good);
    expect(checkHistory(good.history).map((violation) => violation.rule)).toContain(rule);
  },
);

test('checkHistory accepts a review that was closed before it was known', () => {
  const { history, facts } = goodHistory();
  facts.provider.reviews.push({ id: 'prv_2', intent: 'pi_paid', isOpen: false });
  expect(checkHistory(history)).toEqual([]);
});

test('checkHistory accepts that the check command reports an unused intent that another one replaced', () => {
  const { history, facts } = goodHistory();
  facts.commands = [
    {
      name: 'check',
      exitCode: 1,
      lines: [
        'second_intent pi_2: the intent is requires_payment_method with £1.00 for payment paid',
        '1 discrepancy found: 2 payments and 3 intents since 2026-11-01T00:00:00.000Z.',
      ],
    },
  ];
  expect(checkHistory(history)).toEqual([]);
});
