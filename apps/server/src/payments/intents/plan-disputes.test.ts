import { describe, expect, test } from 'vitest';
import type { ProviderDispute } from '../ports/disputes.ts';
import type { DisputeRow, PaymentRow } from '../records/rows.ts';
import { type DisputesToPlan, planDisputes } from './plan-disputes.ts';

const openedAt = new Date('2026-11-20T09:00:00Z');
const now = new Date('2026-11-20T10:00:00Z');
const dueBy = new Date('2026-12-04T23:59:59Z');

const payment = {
  id: 'payment',
  provider: 'stripe',
  amount: 27_600,
  category: 'search',
  description: 'Local authority search',
  disputeStatus: null,
  disputeAmount: null,
  disputeOpenedAt: null,
} as PaymentRow;

const dispute = (change: Partial<ProviderDispute> = {}): ProviderDispute => ({
  disputeId: 'du_1',
  intentId: 'pi_1',
  isInquiry: false,
  status: 'needs_response',
  outcome: null,
  reason: 'fraudulent',
  reasonCode: '10.4',
  amount: 5_000,
  openedAt,
  evidenceDueBy: dueBy,
  submissions: 0,
  withdrawnAmount: 5_000,
  withdrawnAt: openedAt,
  reinstatedAmount: 0,
  reinstatedAt: null,
  ...change,
});
const inquiry = { isInquiry: true, withdrawnAmount: 0, withdrawnAt: null } as const;
const lost = { status: 'closed', outcome: 'lost' } as const;

const plan = (change: Partial<DisputesToPlan> = {}) =>
  planDisputes({
    payment,
    caseReference: 'KT-1',
    known: [],
    atProvider: [dispute()],
    askedAt: now,
    now,
    ...change,
  });

/** Returns the stored rows after a plan. */
const stored = ({ records }: ReturnType<typeof plan>): DisputeRow[] =>
  records.map((record) => ({ ...record, id: 'ours', createdAt: now, updatedAt: now }));

const columnsOf = (planned: ReturnType<typeof plan>): PaymentRow => ({
  ...payment,
  ...planned.paymentColumns,
});

/** Plans successive states of a dispute, as the database would store them. */
function planSteps(...states: Partial<ProviderDispute>[]) {
  let planned = plan({ atProvider: [dispute(states[0])] });
  for (const state of states.slice(1)) {
    planned = plan({
      payment: columnsOf(planned),
      known: stored(planned),
      atProvider: [dispute(state)],
    });
  }
  return planned;
}

describe('a new dispute', () => {
  test('a new dispute is stored with the scheme’s code, its deadline and the withdrawn money', () => {
    expect(plan().records).toEqual([
      {
        paymentId: 'payment',
        provider: 'stripe',
        providerDisputeId: 'du_1',
        isInquiry: false,
        status: 'needs_response',
        outcome: null,
        reason: 'fraudulent',
        reasonCode: '10.4',
        amount: 5_000,
        openedAt,
        evidenceDueBy: dueBy,
        submissions: 0,
        submittedAt: null,
        closedAt: null,
        withdrawnAmount: 5_000,
        withdrawnAt: openedAt,
        reinstatedAmount: 0,
        reinstatedAt: null,
        observedAt: now,
      },
    ]);
  });

  test('a new dispute raises an alert with payment, case, amount, reason, deadline and what to do', () => {
    expect(plan().alerts).toEqual([
      {
        message: 'a payment is disputed: answer it at the provider before its deadline',
        details: {
          payment: 'payment',
          case: 'KT-1',
          dispute: 'du_1',
          amount: 5_000,
          reason: 'the payer says that they did not make this payment (card scheme code 10.4)',
          deadline: 'Friday 4 December 2026 at 11:59 pm',
          action:
            'run "keyturn payments evidence du_1" and submit the PDF at the provider, or accept the dispute there',
        },
      },
    ]);
  });

  test('a new dispute is shown by the payment and in the history of the case', () => {
    expect(plan()).toMatchObject({
      paymentColumns: { disputeStatus: 'open', disputeAmount: 5_000, disputeOpenedAt: openedAt },
      history: ['The card’s bank disputed £50.00 paid for the local authority search'],
    });
  });

  test('a new dispute is not repeated in the history if an earlier release has recorded it on the payment', () => {
    const recorded = {
      ...payment,
      disputeStatus: 'open',
      disputeAmount: 5_000,
      disputeOpenedAt: openedAt,
    } as const;
    expect(plan({ payment: recorded })).toMatchObject({ history: [], paymentColumns: null });
  });

  test('a new dispute that is found late covers the missed reminders', () => {
    const late = plan({ now: new Date('2026-12-02T12:00:00Z') });
    expect(late.coveredReminders.map(({ days }) => days)).toEqual([7, 3]);
  });
});

describe('a known dispute', () => {
  test('an unchanged dispute only gets the time of the lookup', () => {
    const again = planSteps({}, {});
    expect(again).toMatchObject({ history: [], alerts: [], paymentColumns: null });
    expect(again.records).toHaveLength(1);
  });

  test('a dispute ignores an answer that is older than the stored state', () => {
    const closed = planSteps({}, lost);
    const stale = plan({
      payment: columnsOf(closed),
      known: stored(closed),
      askedAt: new Date(now.getTime() - 1),
    });
    expect(stale).toMatchObject({ records: [], history: [], alerts: [], paymentColumns: null });
  });

  test('a dispute’s state from the future, caused by a wrong clock, is replaced', () => {
    const earlier = new Date(now.getTime() - 3_600_000);
    const known = stored(plan());
    expect(
      plan({ known, atProvider: [dispute(lost)], askedAt: earlier, now: earlier }).records,
    ).toMatchObject([lost]);
  });

  test('a dispute keeps the time at which evidence was first submitted', () => {
    const later = new Date('2026-11-25T10:00:00Z');
    const answered = planSteps({}, { status: 'under_review', submissions: 1 });
    const [again] = plan({
      known: stored(answered),
      atProvider: [dispute({ status: 'under_review', submissions: 2 })],
      askedAt: later,
      now: later,
    }).records;
    expect(again).toMatchObject({ submissions: 2, submittedAt: now });
  });

  test.each([
    ['escalated', [inquiry, {}], /question about a payment has become a dispute/],
    ['lost', [{}, lost], /a dispute was lost/],
    ['won', [{}, { status: 'closed', outcome: 'won' }], /a dispute was won/],
    ['won after it was lost', [lost, { status: 'closed', outcome: 'won' }], /a dispute was won/],
    ['reopened', [lost, {}], /needs evidence again/],
    ['given another deadline', [{}, { evidenceDueBy: now }], /deadline of a dispute has changed/],
  ] as [string, Partial<ProviderDispute>[], RegExp][])(
    'a dispute raises one alert when it is %s',
    (_name, states, message) => {
      expect(planSteps(...states).alerts.map((alert) => alert.message)).toEqual([
        expect.stringMatching(message),
      ]);
      const last = states.at(-1) ?? {};
      expect(planSteps(...states, last).alerts).toEqual([]);
    },
  );

  test('submitting evidence raises no further alert', () => {
    expect(planSteps({}, { status: 'under_review', submissions: 1 }).alerts).toEqual([]);
  });

  test('the client is notified once each about the inquiry, the dispute and the decision', () => {
    expect(planSteps(inquiry).history).toEqual([
      'The card’s bank asked us about £50.00 paid for the local authority search',
    ]);
    expect(planSteps(inquiry, {}).history).toEqual([
      'The card’s bank disputed £50.00 paid for the local authority search',
    ]);
    expect(planSteps(inquiry, {}, { status: 'under_review' }).history).toEqual([]);
    expect(planSteps(inquiry, {}, lost).history).toEqual([
      'The card’s bank took back £50.00 paid for the local authority search',
    ]);
  });
});

describe('an inquiry', () => {
  const asked = { disputeStatus: 'inquiry', disputeAmount: 5_000, disputeOpenedAt: openedAt };

  test('marks a payment as under inquiry until the inquiry becomes a dispute or is closed', () => {
    expect(planSteps(inquiry).paymentColumns).toEqual(asked);
    expect(planSteps(inquiry, {}).paymentColumns).toMatchObject({ disputeStatus: 'open' });
    expect(planSteps(inquiry, { status: 'closed', outcome: 'inquiry_closed' }).paymentColumns).toMatchObject({
      disputeStatus: 'won',
    });
  });

  test('an inquiry replaces what an earlier release recorded as a dispute, without a history entry', () => {
    const recorded = planSteps(inquiry);
    const again = plan({
      payment: { ...columnsOf(recorded), disputeStatus: 'open' },
      known: stored(recorded),
      atProvider: [dispute(inquiry)],
    });
    expect(again).toMatchObject({ paymentColumns: asked, history: [], alerts: [] });
  });

  test('a payment shows an open dispute before an inquiry, and an inquiry before a closed dispute', () => {
    const later = { ...inquiry, disputeId: 'du_2', openedAt: new Date('2026-11-21T09:00:00Z') };
    const shown = (first: Partial<ProviderDispute>) =>
      plan({ atProvider: [dispute(first), dispute(later)] }).paymentColumns?.disputeStatus;
    expect([shown({}), shown({ status: 'closed', outcome: 'won' })]).toEqual(['open', 'inquiry']);
  });
});

test('a payment shows its open dispute before a later one that is closed', () => {
  const later = new Date('2026-11-21T09:00:00Z');
  const both = plan({
    atProvider: [dispute(), dispute({ disputeId: 'du_2', ...lost, amount: 1_000, openedAt: later })],
  });
  expect(both.paymentColumns).toEqual({
    disputeStatus: 'open',
    disputeAmount: 5_000,
    disputeOpenedAt: openedAt,
  });
  const closed = plan({
    payment: columnsOf(both),
    known: stored(both),
    atProvider: [dispute({ status: 'closed', outcome: 'won' })],
  });
  expect(closed.paymentColumns).toEqual({
    disputeStatus: 'lost',
    disputeAmount: 1_000,
    disputeOpenedAt: later,
  });
});
