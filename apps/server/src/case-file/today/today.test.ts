import { randomBytes, randomUUID } from 'node:crypto';
import { type TodayItem, type TodayKindName, todayKindNames, todayKindsOf } from '@keyturn/contract/staff';
import {
  buildBill,
  buildCase,
  buildCaseSearch,
  buildDocument,
  buildPayment,
  buildSignature,
  type CaseOverrides,
  createTestClock,
  withTestDatabase,
} from '@keyturn/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { todayHandlers } from '../../doors/staff/today-routes.ts';
import { passwordLinks } from '../../schema/tables/tables.ts';
import { openSession, serveStaff } from '../../testing/serve-staff.ts';
import { untilBlocked } from '../../testing/until-blocked.ts';

const stored = withTestDatabase();
/** The clock of Today only, so that staff sessions do not expire when a test moves it. */
const clock = createTestClock();
const rows = async (sql: string, values: unknown[] = []) => (await stored.pool.query(sql, values)).rows;

let desk: Awaited<ReturnType<typeof serveStaff>>;
let rhian: Awaited<ReturnType<typeof openSession>>;
let joel: typeof rhian;
let dana: typeof rhian;
beforeAll(async () => {
  desk = await serveStaff(stored, {
    handlers: () => todayHandlers({ database: stored.database, clock }),
  });
  rhian = await openSession(stored, desk, { role: 'handler' });
  joel = await openSession(stored, desk, { role: 'finance' });
  dana = await openSession(stored, desk, { role: 'admin' });
});
afterAll(() => desk.app.close());
beforeEach(() => clock.set('2026-11-23T09:00:00Z'));

const read = async (member: typeof rhian, list = 'all') =>
  (await member.call('GET', `/today?list=${list}`)).data;
const itemsOf = async (caseId: string, member = dana, list = 'all'): Promise<TodayItem[]> =>
  (await readAll(member, list)).filter((item: TodayItem) => item.case.id === caseId);
const readAll = async (member: typeof dana, list: string): Promise<TodayItem[]> => {
  const { items, added_items } = await read(member, list);
  return [...items, ...added_items];
};
const kindsOf = async (caseId: string, member = dana) =>
  (await itemsOf(caseId, member)).map(({ kind }) => kind);

const sign = (documentId: string, clientId: string, signedAt: string, position = 1) =>
  buildSignature(stored.database, { documentId, clientId, position, signedAt: new Date(signedAt) });

/** A case with a current step, for which an update is promised by a day. */
const promising = (nextUpdateBy: string, overrides: CaseOverrides = {}) =>
  buildCase(stored.database, {
    matters: [
      {
        milestones: [{ key: 'searches_paid', title: 'Paying for searches', status: 'current', nextUpdateBy }],
        searches: [],
      },
    ],
    ...overrides,
  });

const withPayment = async (status: 'succeeded' | 'processing' = 'succeeded') => {
  const { id, clientId } = await buildCase(stored.database);
  const payment = await buildPayment(stored.database, { caseId: id, clientId, status });
  return { caseId: id, paymentId: payment.id };
};

interface Scene {
  /** Builds a case that has one item, and returns its id. */
  build(): Promise<string>;
  /** The expected item. */
  item: Partial<TodayItem>;
  /** Ends the item of the case. */
  end(caseId: string): Promise<unknown>;
}

const scenes: Record<TodayKindName, Scene> = {
  promise_missed: {
    build: async () => (await promising('2026-11-22')).id,
    item: { urgency: 'late', since: '2026-11-22', due_on: '2026-11-22', name: 'Paying for searches' },
    end: (id) =>
      rows(
        `update milestones set next_update_by = '2026-11-24' where matter_id = (select id from matters where case_id = $1)`,
        [id],
      ),
  },
  promise_due: {
    build: async () => (await promising('2026-11-23')).id,
    item: { urgency: 'today', due_on: '2026-11-23', name: 'Paying for searches' },
    end: (id) =>
      rows(
        `update milestones set status = 'done' where matter_id = (select id from matters where case_id = $1)`,
        [id],
      ),
  },
  search_to_order: {
    build: async () =>
      (
        await buildCase(stored.database, {
          matters: [{ searches: [{ status: 'paid', paidAt: new Date('2026-11-22T23:30:00Z') }, {}] }],
        })
      ).id,
    item: { urgency: 'late', since: '2026-11-22', name: 'Local authority search' },
    end: (id) =>
      rows(
        `update case_searches set status = 'ordered' where status = 'paid'
           and matter_id = (select id from matters where case_id = $1)`,
        [id],
      ),
  },
  search_expiring: {
    build: async () =>
      (
        await buildCase(stored.database, {
          matters: [
            {
              targetCompletionOn: '2027-01-29',
              searches: [
                { status: 'reviewed', validUntil: '2027-01-04' },
                { status: 'reviewed', validUntil: '2027-02-04', code: 'ENVIRO' },
              ],
            },
          ],
        })
      ).id,
    item: { urgency: 'soon', due_on: '2027-01-04', name: 'Local authority search' },
    end: (id) => rows(`update matters set target_completion_on = '2027-01-04' where case_id = $1`, [id]),
  },
  document_signed: {
    build: async () => {
      const built = await buildCase(stored.database, {
        matters: [{ documents: [{ signing: 'simple', title: 'Contract' }] }],
      });
      await sign(built.matters[0]?.documentIds[0] ?? '', built.clientId, '2026-11-20T17:00:00Z');
      return built.id;
    },
    item: { urgency: 'soon', since: '2026-11-20', due_on: null, name: 'Contract' },
    end: async (id) => {
      const [{ subject_id, occasion, state }] = (await itemsOf(id)) as [TodayItem];
      return rhian.call('PUT', `/today/document_signed/${subject_id}`, {
        occasion,
        version: state.version,
        is_done: true,
      });
    },
  },
  task_overdue: {
    build: async () =>
      (
        await buildCase(stored.database, {
          tasks: [
            { title: 'Book your check', dueOn: '2026-11-20' },
            { title: 'Due today', dueOn: '2026-11-23' },
          ],
        })
      ).id,
    item: { urgency: 'soon', due_on: '2026-11-20', name: 'Book your check' },
    end: (id) => rows(`update tasks set status = 'done' where case_id = $1`, [id]),
  },
  paper_awaited: {
    build: async () =>
      (
        await buildCase(stored.database, {
          matters: [
            {
              documents: [{ signing: 'deed', title: 'Transfer', sharedAt: new Date('2026-11-08T12:00:00Z') }],
            },
          ],
        })
      ).id,
    item: { urgency: 'soon', due_on: '2026-11-22', name: 'Transfer' },
    end: (id) =>
      rows(
        `update documents set received_on = '2026-11-23' where matter_id = (select id from matters where case_id = $1)`,
        [id],
      ),
  },
  invitation_expired: {
    build: async () => {
      const { id, clientId } = await buildCase(stored.database);
      for (const day of ['10', '20'])
        await stored.database.insert(passwordLinks).values({
          tokenHash: randomBytes(32),
          clientId,
          purpose: 'invitation',
          createdAt: new Date(`2026-11-${day}T09:00:00Z`),
          expiresAt: new Date(`2026-11-${day}T21:00:00Z`),
        });
      return id;
    },
    item: { urgency: 'soon', since: '2026-11-20', name: 'Rowan Ashdown' },
    end: (id) =>
      rows(
        `update clients set password_hash = 'x' where id = (select client_id from case_clients where case_id = $1)`,
        [id],
      ),
  },
  address_not_restored: {
    build: async () => {
      const { id, clientId } = await buildCase(stored.database);
      await rows(
        `update clients set unrestored_email = 'former@example.test', updated_at = '2026-11-20T12:00:00Z' where id = $1`,
        [clientId],
      );
      return id;
    },
    item: { urgency: 'late', since: '2026-11-20', name: 'Rowan Ashdown' },
    end: (id) =>
      rows(
        'update clients set unrestored_email = null where id = (select client_id from case_clients where case_id = $1)',
        [id],
      ),
  },
  payment_review: {
    build: async () => {
      const { caseId, paymentId } = await withPayment('processing');
      await rows(
        `update payments set review_reason = $2, updated_at = '2026-11-20T12:00:00Z' where id = $1`,
        [paymentId, 'x'.repeat(300)],
      );
      return caseId;
    },
    item: { urgency: 'late', amount: 18_000, since: '2026-11-20', payment_id: expect.any(String) },
    end: (id) => rows('update payments set review_reason = null where case_id = $1', [id]),
  },
  payer_check: {
    build: async () => {
      const { caseId, paymentId } = await withPayment();
      await rows(
        `update payments set own_card = false, payer_name = 'Grace Hall', paid_at = '2026-11-20T12:00:00Z' where id = $1`,
        [paymentId],
      );
      return caseId;
    },
    item: {
      ...{ urgency: 'today', amount: 18_000, since: '2026-11-20', payment_id: expect.any(String) },
      name: expect.stringMatching(/, paid by Grace Hall$/),
    },
    end: (id) =>
      rows(
        `update payments set payer_check = '{"recorded_at": "2026-11-23T09:00:00.000Z"}' where case_id = $1`,
        [id],
      ),
  },
  payment_matter: {
    build: async () => {
      const { id, clientId } = await buildCase(stored.database, { matters: [{}, { matterType: 'sale' }] });
      const payment = {
        caseId: id,
        clientId,
        kind: 'other',
        category: 'money_on_account',
        matterId: null,
      } as const;
      await buildPayment(stored.database, {
        ...payment,
        status: 'succeeded',
        description: 'Money on account',
        paidAt: new Date('2026-11-19T12:00:00Z'),
      });
      return id;
    },
    item: {
      ...{ urgency: 'late', since: '2026-11-19', due_on: '2026-11-20', payment_id: expect.any(String) },
      name: expect.stringMatching(/^Money on account/),
    },
    end: (id) =>
      rows(
        'update payments set matter_id = (select id from matters where case_id = $1 limit 1) where case_id = $1',
        [id],
      ),
  },
  payout_failed: {
    build: async () => {
      const { caseId, paymentId } = await withPayment();
      await rows(`update payments set provider_intent_id = 'pi_' || id where id = $1`, [paymentId]);
      await rows(
        `with payout as (
           insert into payouts (provider, payout_id, amount, currency, status, arrives_on, created_at, is_itemised)
           values ('sandbox', 'po_' || $1, 17000, 'gbp', 'failed', '2026-11-20', now(), true) returning *)
         insert into balance_transactions (provider, transaction_id, kind, amount, fee, currency, intent_id, created_at,
           available_on, payout_id, fetched_at)
         select 'sandbox', 'txn_' || $1, 'charge', 18000, 0, 'gbp', provider_intent_id, now(), '2026-11-20', payout_id, now()
         from payout, payments where id = $1::uuid`,
        [paymentId],
      );
      return caseId;
    },
    item: {
      ...{ urgency: 'late', amount: 17_000, since: '2026-11-20', payment_id: expect.any(String) },
      name: expect.stringMatching(/^Payout po_.* with /),
    },
    end: (id) =>
      rows(
        `update payouts set matched_on = '2026-11-24' where payout_id in (select 'po_' || id from payments where case_id = $1)`,
        [id],
      ),
  },
  refund_approval: {
    build: async () => {
      const { caseId, paymentId } = await withPayment();
      await rows(
        `insert into refunds (id, payment_id, amount, status, last_cause, created_at, updated_at)
         values (gen_random_uuid(), $1, 700, 'awaiting_approval', 'test', '2026-11-20T12:00:00Z', now())`,
        [paymentId],
      );
      return caseId;
    },
    item: { urgency: 'today', amount: 700, since: '2026-11-20' },
    end: (id) =>
      rows(
        `update refunds set status = 'rejected' where payment_id = (select id from payments where case_id = $1)`,
        [id],
      ),
  },
  refund_failed: {
    build: async () => {
      const { caseId, paymentId } = await withPayment();
      await rows(
        `insert into refunds (id, payment_id, amount, status, provider_refund_id, last_cause, created_at, updated_at, failed_at)
         values (gen_random_uuid(), $1, 700, 'failed', gen_random_uuid()::text, 'test', '2026-11-19T12:00:00Z',
           '2026-11-20T12:00:00Z', '2026-11-20T12:00:00Z')`,
        [paymentId],
      );
      return caseId;
    },
    item: { urgency: 'today', amount: 700, since: '2026-11-20' },
    end: (id) =>
      rows(
        `insert into refunds (id, payment_id, amount, status, last_cause, created_at, updated_at)
         values (gen_random_uuid(), (select id from payments where case_id = $1), 700, 'approved', 'test', now(), now())`,
        [id],
      ),
  },
  refund_underfunded: {
    build: async () => {
      const { caseId, paymentId } = await withPayment();
      await rows(
        `insert into refunds (id, payment_id, amount, status, failure_reason, last_cause, created_at, updated_at)
         values (gen_random_uuid(), $1, 700, 'rejected', 'balance_insufficient', 'refund_refused', '2026-11-19T12:00:00Z',
           '2026-11-20T12:00:00Z')`,
        [paymentId],
      );
      return caseId;
    },
    item: { urgency: 'today', amount: 700, since: '2026-11-20' },
    end: (id) =>
      rows(
        `insert into refunds (id, payment_id, amount, status, last_cause, created_at, updated_at)
         values (gen_random_uuid(), (select id from payments where case_id = $1), 700, 'approved', 'test', now(), now())`,
        [id],
      ),
  },
  fraud_warning: {
    build: async () => {
      const { caseId, paymentId } = await withPayment();
      for (const day of ['20', '21'])
        await rows(
          `insert into early_fraud_warnings (id, payment_id, provider, provider_warning_id, fraud_type, is_actionable,
             warned_at, observed_at)
           values (gen_random_uuid(), $1, 'sandbox', gen_random_uuid()::text, 'made_with_stolen_card', true, $2, now())`,
          [paymentId, `2026-11-${day}T12:00:00Z`],
        );
      return caseId;
    },
    item: { urgency: 'late', amount: 18_000, since: '2026-11-20', payment_id: expect.any(String) },
    end: (id) =>
      rows(
        `update early_fraud_warnings set is_actionable = false
         where payment_id = (select id from payments where case_id = $1)`,
        [id],
      ),
  },
  provider_review: {
    build: async () => {
      const { caseId, paymentId } = await withPayment();
      await rows(
        `insert into provider_reviews (id, payment_id, provider, provider_review_id, is_open, opened_reason, opened_at, observed_at)
         values (gen_random_uuid(), $1, 'sandbox', gen_random_uuid()::text, true, 'rule', '2026-11-20T12:00:00Z', now())`,
        [paymentId],
      );
      return caseId;
    },
    item: { urgency: 'late', amount: 18_000, since: '2026-11-20', payment_id: expect.any(String) },
    end: (id) =>
      rows(
        `update provider_reviews set is_open = false, closed_reason = 'approved'
         where payment_id = (select id from payments where case_id = $1)`,
        [id],
      ),
  },
  dispute_open: {
    build: async () => {
      const { caseId, paymentId } = await withPayment();
      await rows(
        `insert into disputes (id, payment_id, provider, provider_dispute_id, is_inquiry, status, reason, amount,
           opened_at, evidence_due_by, observed_at)
         values (gen_random_uuid(), $1, 'sandbox', gen_random_uuid()::text, false, 'needs_response', 'fraudulent', 18000,
           '2026-11-20T12:00:00Z', '2026-11-25T23:59:59Z', now())`,
        [paymentId],
      );
      return caseId;
    },
    item: { urgency: 'today', amount: 18_000, due_on: '2026-11-25' },
    end: (id) =>
      rows(
        `update disputes set status = 'under_review' where payment_id = (select id from payments where case_id = $1)`,
        [id],
      ),
  },
  bill_overdue: {
    build: async () => {
      const { id, clientId } = await buildCase(stored.database);
      const bill = await buildBill(stored.database, { caseId: id, number: '26-1', dueOn: '2026-11-22' });
      await buildBill(stored.database, { caseId: id, dueOn: '2026-11-23' });
      await buildPayment(stored.database, {
        ...{ caseId: id, clientId, amount: 7_600, status: 'succeeded' },
        ...{ billId: bill.id, category: 'legal_fees' },
      });
      return id;
    },
    item: {
      urgency: 'soon',
      amount: 20_000,
      due_on: '2026-11-22',
      name: 'Bill 26-1: Our fee for your purchase',
    },
    end: async (id) => {
      const [{ client_id }] = await rows('select client_id from case_clients where case_id = $1', [id]);
      const [{ id: billId }] = await rows("select id from bills where case_id = $1 and number = '26-1'", [
        id,
      ]);
      await buildPayment(stored.database, {
        ...{ caseId: id, clientId: client_id, amount: 20_000, status: 'processing' },
        ...{ billId, category: 'legal_fees' },
      });
    },
  },
};

describe.each(todayKindNames)('Today: %s', (kind) => {
  const { build, item, end } = scenes[kind];

  test(`${kind} appears with its case, and disappears when its cause ends`, async () => {
    const caseId = await build();
    expect(await itemsOf(caseId)).toMatchObject([
      { kind, ...item, case: { id: caseId }, clients: ['Rowan Ashdown'], state: { version: 0 } },
    ]);
    await end(caseId);
    expect(await itemsOf(caseId)).toEqual([]);
  });

  test(`${kind} is listed for the roles that the contract names, and only they can change it`, async () => {
    const caseId = await build();
    const [{ subject_id, occasion }] = (await itemsOf(caseId)) as [TodayItem];
    for (const [member, role] of [
      [rhian, 'handler'],
      [joel, 'finance'],
      [dana, 'admin'],
    ] as const) {
      const isSeen = todayKindsOf(role).includes(kind);
      expect(await kindsOf(caseId, member), role).toEqual(isSeen ? [kind] : []);
      const { status } = await member.call('PUT', `/today/${kind}/${subject_id}`, {
        occasion,
        version: 99,
        snoozed_until: '2026-12-01',
      });
      expect(status, role).toBe(isSeen ? 409 : 404);
    }
    await end(caseId);
  });
});

test('Today lists nothing of cases that are completed or abandoned, except money', async () => {
  for (const kind of todayKindNames) {
    const caseId = await scenes[kind].build();
    await rows(`update conveyancing_cases set status = 'abandoned' where id = $1`, [caseId]);
    expect(await kindsOf(caseId), kind).toEqual(todayKindsOf('finance').includes(kind) ? [kind] : []);
  }
});

describe('Today: what does not need attention', () => {
  test('a promise is due on its day in London, and missed from midnight there', async () => {
    const { id } = await promising('2026-07-15');
    clock.set('2026-07-14T22:59:59Z');
    expect(await kindsOf(id)).toEqual([]);
    clock.set('2026-07-14T23:00:00Z');
    expect(await kindsOf(id)).toEqual(['promise_due']);
    clock.set('2026-07-15T23:00:00Z');
    expect(await kindsOf(id)).toEqual(['promise_missed']);
  });

  test('Today lists a case with several promises once, by the earliest', async () => {
    const { id } = await buildCase(stored.database, {
      matters: ['2026-11-20', '2026-11-19'].map((nextUpdateBy, position) => ({
        milestones: [
          { key: 'a', title: `Step ${position}`, status: 'blocked', nextUpdateBy },
          { key: 'b', status: 'done', nextUpdateBy: '2026-11-01' },
        ],
        searches: [],
      })),
    });
    expect(await itemsOf(id)).toMatchObject([
      { kind: 'promise_missed', due_on: '2026-11-19', name: 'Step 1' },
    ]);
  });

  test('a search that is renewed no longer expires', async () => {
    const caseId = await scenes.search_expiring.build();
    const [{ id: matterId }] = await rows('select id from matters where case_id = $1', [caseId]);
    await buildCaseSearch(stored.database, { matterId });
    expect(await kindsOf(caseId)).toEqual([]);
    await rows(`update case_searches set status = 'cancelled' where matter_id = $1 and valid_until is null`, [
      matterId,
    ]);
    expect(await kindsOf(caseId)).toEqual(['search_expiring']);
  });

  test('a task to pay for a search is not overdue while its payment is confirmed', async () => {
    const { id, clientId, caseSearchId } = await buildCase(stored.database);
    await rows(
      `insert into tasks (id, case_id, reference, kind, title, explanation, due_on, status, case_search_id, position)
       values (gen_random_uuid(), $1, gen_random_uuid()::text, 'pay_search', 'Pay', 'Why', '2026-11-20', 'open', $2, 0)`,
      [id, caseSearchId],
    );
    expect(await kindsOf(id)).toEqual(['task_overdue']);
    await buildPayment(stored.database, { caseId: id, clientId, caseSearchId, status: 'processing' });
    expect(await kindsOf(id)).toEqual([]);
  });

  test('a paper is awaited from the day after its task was due, and only its latest version', async () => {
    const { id, matterId } = await buildCase(stored.database);
    const paper = await buildDocument(stored.database, { matterId, signing: 'wet_ink' });
    await rows(
      `insert into tasks (id, case_id, reference, kind, title, explanation, due_on, status, document_id, position)
       values (gen_random_uuid(), $1, gen_random_uuid()::text, 'sign_document', 'Sign', 'Why', '2026-11-22', 'open', $2, 0)`,
      [id, paper.id],
    );
    expect(await kindsOf(id)).toEqual(['paper_awaited']);
    clock.set('2026-11-22T12:00:00Z');
    expect(await kindsOf(id)).toEqual([]);
    clock.set('2026-11-24T12:00:00Z');
    await buildDocument(stored.database, { matterId, supersedesId: paper.id });
    expect(await kindsOf(id)).toEqual([]);
  });

  test('an invitation that was sent again has not expired', async () => {
    const caseId = await scenes.invitation_expired.build();
    const [{ client_id }] = await rows('select client_id from case_clients where case_id = $1', [caseId]);
    await stored.database.insert(passwordLinks).values({
      tokenHash: randomBytes(32),
      clientId: client_id,
      purpose: 'invitation',
      createdAt: new Date('2026-11-23T08:00:00Z'),
      expiresAt: new Date('2026-11-24T08:00:00Z'),
    });
    expect(await kindsOf(caseId)).toEqual([]);
  });

  test('a bill that is due on completion is overdue the day after', async () => {
    const { id, matterId } = await buildCase(stored.database);
    await buildBill(stored.database, { caseId: id, matterId, dueOnCompletion: true });
    expect(await kindsOf(id)).toEqual([]);
    await rows(`update matters set completed_on = '2026-11-22' where id = $1`, [matterId]);
    expect(await kindsOf(id)).toEqual(['bill_overdue']);
  });
});

describe('what staff decide about an item', () => {
  const change = async (caseId: string, sent: object, member = rhian) => {
    const [item] = (await itemsOf(caseId)).concat(await itemsOf(caseId, dana, 'snoozed')) as [TodayItem];
    const { kind, subject_id, occasion, state } = item;
    return member.call('PUT', `/today/${kind}/${subject_id}`, { occasion, version: state.version, ...sent });
  };

  test('an item belongs to the handlers of its case until it is assigned to another member', async () => {
    const { id } = await promising('2026-11-22', {
      handlers: [
        { name: 'Rhian', role: 'Solicitor', phone: '0117 496 0101', email: rhian.email.toUpperCase() },
      ],
    });
    expect(await itemsOf(id, rhian, 'mine')).toHaveLength(1);
    expect(await itemsOf(id, dana, 'mine')).toHaveLength(0);
    expect(await itemsOf(id, dana, 'unassigned')).toHaveLength(1);
    const { data } = await change(id, { assigned_to: dana.id });
    expect(data).toEqual({
      version: 1,
      assigned_to: { id: dana.id, name: 'Rhian Morgan' },
      snoozed_until: null,
      is_done: false,
    });
    expect(await itemsOf(id, rhian, 'mine')).toHaveLength(0);
    expect(await itemsOf(id, dana, 'mine')).toHaveLength(1);
    expect(await itemsOf(id, dana, 'unassigned')).toHaveLength(0);
    const entries = await rows(
      'select action, actor_id, subject_kind, before, after, address from audit_entries where subject_id = $1',
      [id],
    );
    expect(entries).toEqual([
      {
        action: 'desk.item_assigned',
        actor_id: rhian.id,
        subject_kind: 'case',
        before: { item: 'promise_missed', assigned_to: null },
        after: { item: 'promise_missed', assigned_to: dana.id },
        address: '203.0.113.7',
      },
    ]);
  });

  test('an item of a disabled member is unassigned', async () => {
    const { id } = await promising('2026-11-22');
    const leaver = await openSession(stored, desk, { role: 'handler' });
    await change(id, { assigned_to: leaver.id });
    await rows(`update staff set state = 'disabled' where id = $1`, [leaver.id]);
    expect(await itemsOf(id, dana, 'unassigned')).toMatchObject([
      { state: { assigned_to: null, version: 1 } },
    ]);
    const again = await change(id, { assigned_to: leaver.id });
    expect(again).toMatchObject({ status: 422, code: 'invalid_input' });
  });

  test('an item is hidden until the day to which it is snoozed', async () => {
    const { id } = await promising('2026-11-20');
    const before = (await read(dana)).counts;
    await change(id, { snoozed_until: '2026-11-25' });
    expect(await itemsOf(id)).toEqual([]);
    expect((await read(dana)).counts).toEqual({
      ...before,
      all: before.all - 1,
      unassigned: before.unassigned - 1,
      snoozed: before.snoozed + 1,
    });
    clock.set('2026-11-24T23:59:59Z');
    expect(await itemsOf(id)).toEqual([]);
    clock.set('2026-11-25T00:00:00Z');
    expect(await itemsOf(id)).toHaveLength(1);
  });

  test('a snoozed item can be shown again immediately', async () => {
    const { id } = await promising('2026-11-20');
    await change(id, { snoozed_until: '2026-11-25' });
    await change(id, { snoozed_until: null });
    expect(await itemsOf(id)).toHaveLength(1);
  });

  test.each(['2026-11-23', '2020-01-01', '2028-01-01'])('an item cannot be snoozed until %s', async (day) => {
    const { id } = await promising('2026-11-20');
    expect(await change(id, { snoozed_until: day })).toMatchObject({ status: 422 });
  });

  test('a new missed promise appears regardless of decisions about an earlier one', async () => {
    const { id } = await promising('2026-11-20');
    await change(id, { snoozed_until: '2027-05-01', assigned_to: dana.id });
    await rows(
      `update milestones set next_update_by = '2026-11-21' where matter_id = (select id from matters where case_id = $1)`,
      [id],
    );
    expect(await itemsOf(id, rhian, 'unassigned')).toMatchObject([
      { due_on: '2026-11-21', state: { version: 1, assigned_to: null, snoozed_until: null } },
    ]);
    // The version continues, so that a decision about the earlier promise cannot replace a new one.
    expect(await change(id, { assigned_to: rhian.id })).toMatchObject({ status: 200, data: { version: 2 } });
  });

  test('a signed document marked as seen reappears after another signature, and after undo', async () => {
    const built = await buildCase(stored.database, {
      clients: [{}, {}],
      matters: [{ documents: [{ signing: 'simple' }] }],
    });
    const [documentId = ''] = built.matters[0]?.documentIds ?? [];
    await sign(documentId, built.clientIds[0] ?? '', '2026-11-20T17:00:00Z');
    const [item] = (await itemsOf(built.id)) as [TodayItem];
    const path = `/today/document_signed/${documentId}`;
    const { occasion } = item;
    await rhian.call('PUT', path, { occasion, version: 0, is_done: true });
    expect(await itemsOf(built.id)).toEqual([]);
    await rhian.call('PUT', path, { occasion, version: 1, is_done: false });
    expect(await itemsOf(built.id)).toHaveLength(1);
    await rhian.call('PUT', path, { occasion, version: 2, is_done: true });
    await sign(documentId, built.clientIds[1] ?? '', '2026-11-21T17:00:00Z', 2);
    expect(await itemsOf(built.id)).toMatchObject([{ since: '2026-11-21', state: { version: 3 } }]);
  });

  test('an item that its cause ends cannot be marked as done', async () => {
    const { id } = await promising('2026-11-20');
    expect(await change(id, { is_done: true })).toMatchObject({ status: 422, code: 'invalid_input' });
  });

  test('one of two concurrent changes of the same item version is rejected', async () => {
    const { id } = await promising('2026-11-20');
    const [{ subject_id, occasion }] = (await itemsOf(id)) as [TodayItem];
    const both = await Promise.all(
      [rhian, dana].map((member) =>
        member.call('PUT', `/today/promise_missed/${subject_id}`, {
          ...{ occasion, version: 0 },
          assigned_to: member.id,
        }),
      ),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [item] = await itemsOf(id);
    expect(item?.state).toMatchObject({
      version: 1,
      assigned_to: both.find(({ status }) => status === 200)?.data.assigned_to,
    });
  });

  test('a change of an item does not overwrite another one that is committed while it waits', async () => {
    const { id } = await promising('2026-11-20');
    const [{ subject_id, occasion }] = (await itemsOf(id)) as [TodayItem];
    const other = await stored.pool.connect();
    await other.query('begin');
    await other.query(
      `insert into desk_items (kind, subject_id, version, occasion, assigned_to, changed_by, changed_at)
       values ('promise_missed', $1, 1, $2, $3, $3, now())`,
      [subject_id, occasion, dana.id],
    );
    const late = rhian.call('PUT', `/today/promise_missed/${subject_id}`, {
      ...{ occasion, version: 0 },
      assigned_to: rhian.id,
    });
    await untilBlocked(stored);
    await other.query('commit');
    other.release();
    expect(await late).toMatchObject({ status: 409, code: 'item_changed' });
    const [item] = await itemsOf(id);
    expect(item?.state.assigned_to?.id).toBe(dana.id);
  });

  test('an item of a money kind cannot be assigned to a handler', async () => {
    const caseId = await scenes.payment_review.build();
    expect(await change(caseId, { assigned_to: rhian.id }, joel)).toMatchObject({ status: 422 });
    expect(await change(caseId, { assigned_to: dana.id }, joel)).toMatchObject({ status: 200 });
  });

  test('an item that no longer exists, or never did, is reported as changed', async () => {
    const { id } = await promising('2026-11-20');
    const [{ subject_id, occasion }] = (await itemsOf(id)) as [TodayItem];
    await scenes.promise_missed.end(id);
    for (const subject of [subject_id, randomUUID(), 'none']) {
      const sent = { occasion, version: 0, assigned_to: rhian.id };
      expect(await rhian.call('PUT', `/today/promise_missed/${subject}`, sent)).toMatchObject({
        status: 409,
        code: 'item_changed',
      });
    }
    expect(await rhian.call('PUT', `/today/anything/${subject_id}`, { occasion, version: 0 })).toMatchObject({
      status: 404,
    });
  });
});

test('Today sorts late items first, then by day', async () => {
  const ids = [
    (await promising('2026-11-23')).id,
    (await promising('2026-11-21')).id,
    await scenes.task_overdue.build(),
    (await promising('2026-11-19')).id,
  ];
  const { items } = await read(dana);
  const listed = items.map((item: TodayItem) => item.case.id).filter((id: string) => ids.includes(id));
  expect(listed).toEqual([ids[3], ids[1], ids[0], ids[2]]);
});

test('Today returns the time of the check, and the active members', async () => {
  const { today, checked_at, members } = await read(joel);
  expect({ today, checked_at }).toEqual({ today: '2026-11-23', checked_at: '2026-11-23T09:00:00.000Z' });
  expect(members).toContainEqual({ id: joel.id, name: 'Rhian Morgan', role: 'finance' });
});
