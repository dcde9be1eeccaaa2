import type { FactsEntry, HistoryEntry, MoneyFacts } from '../history.ts';

/**
 * A history in which a client pays for a search and cancels a second payment. The search is partly refunded, and then
 * disputed by the bank.
 */
export function goodHistory() {
  const facts = goodFacts();
  const invoke = (
    operation: number,
    kind: Extract<HistoryEntry, { type: 'invoke' }>['kind'],
    asked: Record<string, unknown>,
    client: number | null = 0,
  ): HistoryEntry => ({ type: 'invoke', operation, client, kind, asked });
  const history: HistoryEntry[] = [
    { type: 'run', seed: 1, operations: 6, clients: 1 },
    invoke(1, 'start search payment', { search: 'search', price: 12_000, method: 'card' }),
    { type: 'ok', operation: 1, payment: 'paid', payments: { paid: 'requires_payment_method' } },
    invoke(2, 'pay', { payment: 'paid', search: 'search', method: 'pm_card_visa' }),
    { type: 'ok', operation: 2, code: 'succeeded', payment: 'paid' },
    invoke(3, 'list payments', {}),
    { type: 'ok', operation: 3, payments: { paid: 'succeeded' } },
    invoke(4, 'cancel', { payment: 'over', search: 'other' }),
    { type: 'ok', operation: 4, payments: { over: 'cancelled' } },
    invoke(5, 'refund', { payment: 'paid', amount: 600 }, null),
    { type: 'ok', operation: 5, refund: 'request' },
    invoke(6, 'refund', { payment: 'paid', amount: 400 }, null),
    { type: 'fail', operation: 6, refund: 're_failed' },
    { type: 'forgery', status: 400 },
    facts,
  ];
  /** Appends an operation after all others of a client. */
  const then = (...entries: HistoryEntry[]) => history.splice(-1, 0, ...entries);
  return { history, facts, invoke, then };
}

/** The final state, as the database, the provider, the screens and the commands report it. */
const goodFacts = (): FactsEntry => ({
  type: 'facts',
  now: '2026-11-21T15:00:00.000Z',
  payments: goodPayments(),
  changes: goodChanges(),
  events: [{ id: 'evt_1', intent: 'pi_paid', outcome: 'applied' }],
  searches: [
    { id: 'search', caseId: 'case', status: 'paid', price: 12_000 },
    { id: 'other', caseId: 'case', status: 'awaiting_payment', price: 15_000 },
  ],
  cases: [{ id: 'case', historyEntries: 1 }],
  receiptCounters: { '2026': 1 },
  intents: goodIntents(),
  charges: [{ intent: 'pi_paid', amount: 12_000, operation: 2 }],
  screens: [
    {
      client: 0,
      caseId: 'case',
      amountPaid: 11_400,
      payments: { paid: { status: 'partially_refunded', refundedAmount: 600, dispute: 'won' } },
      searches: {
        search: { status: 'paid', payment: 'paid', payable: false },
        other: { status: 'awaiting_payment', payment: null, payable: true },
      },
    },
  ],
  record: moneyOfGoodHistory(),
  provider: moneyOfGoodHistory(),
  commands: [
    { name: 'ledger', exitCode: 0, lines: [] },
    { name: 'check', exitCode: 0, lines: [] },
  ],
});

const goodPayments = (): FactsEntry['payments'] => [
  {
    id: 'paid',
    caseId: 'case',
    searchId: 'search',
    status: 'partially_refunded',
    method: 'card',
    amount: 12_000,
    refundedAmount: 600,
    intent: 'pi_paid',
    paidAt: '2026-11-21T10:00:00.000Z',
    payer: 0,
    receiptNumber: 'R-2026-000001',
    dispute: 'won',
  },
  {
    id: 'over',
    caseId: 'case',
    searchId: 'other',
    status: 'cancelled',
    method: 'bank',
    amount: 15_000,
    refundedAmount: 0,
    intent: 'pi_over',
    paidAt: null,
    payer: 0,
    receiptNumber: null,
    dispute: null,
  },
];

const goodChanges = (): FactsEntry['changes'] => [
  {
    payment: 'paid',
    from: null,
    to: 'requires_payment_method',
    cause: 'started',
    event: null,
    money: 0,
    refund: null,
  },
  {
    payment: 'over',
    from: null,
    to: 'requires_payment_method',
    cause: 'started',
    event: null,
    money: 0,
    refund: null,
  },
  {
    payment: 'paid',
    from: 'requires_payment_method',
    to: 'succeeded',
    cause: 'payment_intent.succeeded',
    event: 'evt_1',
    money: 12_000,
    refund: null,
  },
  {
    payment: 'paid',
    from: 'succeeded',
    to: 'partially_refunded',
    cause: 'refund_submitted',
    event: null,
    money: -600,
    refund: 'refund',
  },
  {
    payment: 'over',
    from: 'requires_payment_method',
    to: 'cancelled',
    cause: 'payment_cancelled',
    event: null,
    money: 0,
    refund: null,
  },
];

const goodIntents = (): FactsEntry['intents'] => [
  {
    id: 'pi_paid',
    payment: 'paid',
    status: 'succeeded',
    method: 'card',
    amount: 12_000,
    refundedAmount: 600,
    created: '2026-11-21T10:00:00.000Z',
  },
  {
    id: 'pi_over',
    payment: 'over',
    status: 'cancelled',
    method: 'bank',
    amount: 15_000,
    refundedAmount: 0,
    created: '2026-11-21T10:00:00.000Z',
  },
];

/** The movements of the money that was paid for the search. */
const moneyOfGoodHistory = (): MoneyFacts => ({
  refunds: [
    { id: 're_made', request: 'request', intent: 'pi_paid', amount: 600, status: 'succeeded' },
    { id: 're_failed', request: null, intent: 'pi_paid', amount: 400, status: 'failed' },
  ],
  disputes: [
    {
      id: 'dp_won',
      intent: 'pi_paid',
      amount: 11_400,
      status: 'closed',
      outcome: 'won',
      isInquiry: false,
      taken: 0,
    },
  ],
  warnings: [{ id: 'issfr_1', intent: 'pi_paid' }],
  reviews: [{ id: 'prv_1', intent: 'pi_paid', isOpen: true }],
  movements: [
    { id: 'txn_charge', kind: 'charge', amount: 12_000, fee: 200, intent: 'pi_paid' },
    { id: 'txn_refund', kind: 'refund', amount: -600, fee: 0, intent: 'pi_paid' },
    { id: 'txn_lost', kind: 'refund', amount: -400, fee: 0, intent: 'pi_paid' },
    { id: 'txn_back', kind: 'refund_failure', amount: 400, fee: 0, intent: 'pi_paid' },
    { id: 'txn_dispute', kind: 'dispute', amount: -11_400, fee: 2_000, intent: 'pi_paid' },
    { id: 'txn_won', kind: 'dispute_reversal', amount: 11_400, fee: 0, intent: 'pi_paid' },
  ],
});

export type Good = ReturnType<typeof goodHistory>;
export const first = <Thing>(things: Thing[]): Thing => {
  const [thing] = things;
  if (thing === undefined) throw new Error('there is none');
  return thing;
};
export const second = <Thing>(things: Thing[]): Thing => first(things.slice(1));
