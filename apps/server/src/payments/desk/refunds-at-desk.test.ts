import {
  buildCase,
  createPaymentWorld,
  startStripeSimulator,
  startTestPayment,
  withTestDatabase,
} from '@keyturn/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStripeProvider } from '../../adapters/stripe/create-stripe-provider.ts';
import { paymentDeskHandlers } from '../../doors/staff/payment-routes.ts';
import { openSession, serveStaff } from '../../testing/serve-staff.ts';
import { pausePayments, resumePayments } from '../continuity/continuity-store.ts';
import { syncPaymentFromProvider } from '../intents/sync-payment.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { ProviderUnavailable } from '../ports/provider.ts';
import { syncRefunds } from '../refunds/sync-refunds.ts';

const stored = withTestDatabase();
let simulator: Awaited<ReturnType<typeof startStripeSimulator>>;
let desk: Awaited<ReturnType<typeof serveStaff>>;
let payments: PaymentDependencies;
/** Replaces parts of the provider for one test. */
let changed: Partial<PaymentDependencies['provider']> = {};

beforeAll(async () => {
  simulator = await startStripeSimulator();
  const provider = createStripeProvider({
    secretKey: 'rk_test_1',
    publishableKey: 'pk_test_1',
    webhookSecrets: ['whsec_1'],
    apiBase: simulator.url,
  });
  const { dependencies } = createPaymentWorld(stored, {
    clock: simulator.clock,
    // A single person may refund £100.00, and handlers may request £50.00.
    dependencies: { provider, refundApprovalPence: 10_000, handlerRefundPence: 5_000 },
  });
  const replaceable = new Proxy(provider, {
    get: (target, name) => Reflect.get(changed, name) ?? Reflect.get(target, name),
  });
  payments = { ...dependencies, provider: replaceable };
  const unused = {
    receipts: { get: () => Promise.reject(new Error('not needed')) },
    isKeyRejected: () => false,
  };
  desk = await serveStaff(stored, { handlers: () => paymentDeskHandlers({ ...payments, ...unused }) });
});
afterAll(async () => {
  await desk.app.close();
  await simulator.stop();
});

/** A paid payment of £180.00 at Stripe. */
async function pay() {
  const { clientId, caseSearchId } = await buildCase(stored.database);
  const { paymentId, intentId } = await startTestPayment(payments, { clientId, caseSearchId });
  simulator.intents.confirm(intentId, 'pm_card_visa');
  await syncPaymentFromProvider(payments, intentId, { name: 'test' });
  const atStripe = () => simulator.refunds.all().filter((refund) => refund.payment_intent === intentId);
  const rows = async () =>
    (
      await stored.pool.query(
        'select amount, status, requested_by_staff, approved_by_staff from refunds where payment_id = $1 order by created_at',
        [paymentId],
      )
    ).rows;
  return { paymentId, intentId, atStripe, rows };
}

const signIn = (role: 'handler' | 'finance' | 'admin', more: { name?: string; confirmedAgo?: number } = {}) =>
  openSession(stored, desk, { role, ...more });
type Caller = Awaited<ReturnType<typeof signIn>>;

let keys = 0;
const request = (caller: Caller, paymentId: string, amount: number, key = `request-${++keys}`) =>
  caller.call('POST', `/payments/${paymentId}/refunds`, {
    amount,
    reason: 'requested_by_customer',
    note: 'Search not needed',
    key,
  });
const approve = (caller: Caller, id: string) => caller.call('POST', `/refunds/${id}/approve`);
const reject = (caller: Caller, id: string) =>
  caller.call('POST', `/refunds/${id}/reject`, { reason: 'Not due' });

test('finance refunds exactly its limit alone, and one penny more waits for a second person', async () => {
  const [exactly, above] = [await pay(), await pay()];
  const finance = await signIn('finance');
  expect(await request(finance, exactly.paymentId, 10_000)).toMatchObject({
    status: 200,
    data: { status: 'succeeded', amount: 10_000, requested_by: 'Rhian Morgan', approved_by: null },
  });
  expect(exactly.atStripe()).toMatchObject([{ amount: 10_000 }]);
  // The limit is for all refunds of a payment that one person makes alone.
  expect((await request(finance, exactly.paymentId, 1)).data).toMatchObject({ status: 'awaiting_approval' });
  expect((await request(finance, above.paymentId, 10_001)).data).toMatchObject({
    status: 'awaiting_approval',
    may_approve: false,
    may_reject: true,
  });
  expect(above.atStripe()).toEqual([]);
});

test('a refund says whether the money has been spent, and how much was received online for the matter', async () => {
  const { paymentId } = await pay();
  const finance = await signIn('finance');
  const terms = { amount: 600, reason: 'requested_by_customer', note: 'Search not needed' };
  const ask = (more: object) =>
    finance.call('POST', `/payments/${paymentId}/refunds`, { ...terms, key: 'is it spent', ...more });
  expect(await ask({ money_state: null })).toMatchObject({
    status: 422,
    body: { errors: { money_state: ['Say whether this money has been spent.'] } },
  });
  expect(await ask({ money_state: 'spent' })).toMatchObject({
    status: 200,
    data: { amount: 600, money_state: 'spent' },
  });
  expect((await finance.call('GET', `/payments/${paymentId}/refund-balance`)).data).toMatchObject({
    received_online: 17_400,
    ledger: null,
  });
});

test('the page of a payment and its refund show the balances that the firm’s system sent for the matter', async () => {
  const { paymentId } = await pay();
  const handler = await signIn('handler');
  const ledger = { client: -1_250, office: 0, on: '2026-11-18' };
  await stored.pool.query(
    'update matters set ledger = $2 where id = (select matter_id from payments where id = $1)',
    [paymentId, ledger],
  );
  expect((await handler.call('GET', `/payments/${paymentId}`)).data).toMatchObject({ ledger });
  expect((await handler.call('GET', `/payments/${paymentId}/refund-balance`)).data).toMatchObject({ ledger });
});

test('a handler requests up to the limit of handlers, and one penny more is rejected', async () => {
  const { paymentId, atStripe, rows } = await pay();
  const [handler, other] = [await signIn('handler'), await signIn('handler')];
  expect(await request(handler, paymentId, 5_001)).toMatchObject({ status: 403, code: 'refund_above_limit' });
  expect(await rows()).toEqual([]);
  const { data } = await request(handler, paymentId, 4_000);
  // A handler never refunds alone, even a small amount.
  expect(data).toMatchObject({ status: 'awaiting_approval', may_approve: false });
  expect(atStripe()).toEqual([]);
  expect(await request(other, paymentId, 1_001)).toMatchObject({ status: 403, code: 'refund_above_limit' });
  expect((await request(other, paymentId, 1_000)).status).toBe(200);
  expect(await approve(other, data.id)).toMatchObject({ status: 403, code: 'role_not_permitted' });
  expect((await approve(await signIn('finance'), data.id)).data).toMatchObject({ status: 'succeeded' });
  expect(atStripe()).toMatchObject([{ amount: 4_000 }]);
});

test('members cannot approve their own request, even after a change of name, but a person of the same name can', async () => {
  const { paymentId, atStripe, rows } = await pay();
  const [joel, namesake] = [await signIn('finance'), await signIn('admin')];
  const { id } = (await request(joel, paymentId, 18_000)).data;
  await stored.pool.query("update staff set name = 'Joel Smith' where id = $1", [joel.id]);
  expect(await approve(joel, id)).toMatchObject({ status: 409, code: 'refund_not_possible' });
  expect(atStripe()).toEqual([]);
  expect((await approve(namesake, id)).data).toMatchObject({ status: 'succeeded' });
  expect(await rows()).toMatchObject([{ requested_by_staff: joel.id, approved_by_staff: namesake.id }]);
});

test('two people who approve a request concurrently make one refund', async () => {
  const { paymentId, atStripe, rows } = await pay();
  const { id } = (await request(await signIn('finance'), paymentId, 15_000)).data;
  const [first, second] = [await signIn('finance'), await signIn('admin')];
  const answers = await Promise.all([approve(first, id), approve(second, id)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)?.message).toMatch(/does not wait for approval/);
  expect(atStripe()).toMatchObject([{ amount: 15_000 }]);
  expect(await rows()).toHaveLength(1);
});

test('a request that is approved and rejected concurrently ends as one or the other', async () => {
  const { paymentId, atStripe, rows } = await pay();
  const { id } = (await request(await signIn('finance'), paymentId, 15_000)).data;
  const [first, second] = [await signIn('finance'), await signIn('admin')];
  const [approved, rejected] = await Promise.all([approve(first, id), reject(second, id)]);
  expect([approved.status, rejected.status].sort()).toEqual([200, 409]);
  expect(atStripe()).toHaveLength(approved.status === 200 ? 1 : 0);
  expect(await rows()).toMatchObject([{ status: approved.status === 200 ? 'succeeded' : 'rejected' }]);
});

test('a refund that is pressed twice is made once', async () => {
  const { paymentId, atStripe } = await pay();
  const finance = await signIn('finance');
  const answers = await Promise.all([1, 2].map(() => request(finance, paymentId, 600, 'the-same-key')));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
  await request(finance, paymentId, 600, 'the-same-key');
  expect(atStripe()).toHaveLength(1);
  expect(await request(finance, paymentId, 700, 'the-same-key')).toMatchObject({ status: 409 });
});

test.each([
  ['before', 0],
  ['after', 1],
] as const)(
  'a server that dies %s the provider was called leaves an approved refund, which a job makes once',
  async (when, made) => {
    const { paymentId, atStripe, rows } = await pay();
    const finance = await signIn('finance');
    const { createRefund } = payments.provider;
    changed = {
      createRefund: async (terms) => {
        if (when === 'after') await createRefund(terms);
        throw new ProviderUnavailable('killed');
      },
    };
    const answer = await request(finance, paymentId, 600);
    changed = {};
    expect(answer).toMatchObject({ status: 200, data: { status: 'approved' } });
    expect(atStripe()).toHaveLength(made);
    simulator.clock.advance(120_000);
    await syncRefunds(payments);
    expect(atStripe()).toHaveLength(1);
    expect(await rows()).toMatchObject([{ status: 'succeeded' }]);
  },
);

test('a request is not stored while the provider does not answer, and the answer says so', async () => {
  const { paymentId, rows } = await pay();
  changed = { retrieveIntent: () => Promise.reject(new ProviderUnavailable('down')) };
  const answer = await request(await signIn('finance'), paymentId, 600);
  changed = {};
  expect(answer).toMatchObject({ status: 503, code: 'provider_unavailable' });
  expect(answer.message).toContain('Nothing was requested');
  expect(await rows()).toEqual([]);
});

test('nothing is refunded without a recent confirmation, nor while payments are paused', async () => {
  const { paymentId, atStripe, rows } = await pay();
  const stolen = await signIn('finance', { confirmedAgo: 6 * 60_000 });
  const { id } = (await request(await signIn('admin'), paymentId, 15_000)).data;
  for (const answer of [
    await request(stolen, paymentId, 1),
    await approve(stolen, id),
    await reject(stolen, id),
  ]) {
    expect(answer).toMatchObject({ status: 403, code: 'identity_not_confirmed' });
  }
  await pausePayments(stored.database, { at: new Date(), reason: 'the database is older' });
  const finance = await signIn('finance');
  const refused = [await request(finance, paymentId, 1), await approve(finance, id)];
  const notices = await finance.call('GET', '/payment-notices');
  await resumePayments(stored.database, { checkedUntil: new Date(), left: [] });
  for (const answer of refused) expect(answer).toMatchObject({ status: 503, code: 'payments_paused' });
  expect(notices.data).toMatchObject([
    { kind: 'payments_paused', found: expect.stringContaining('the database is older') },
  ]);
  expect((await finance.call('GET', '/payment-notices')).data).toEqual([]);
  expect(atStripe()).toEqual([]);
  expect(await rows()).toMatchObject([{ status: 'awaiting_approval' }]);
});

test('a handler withdraws their own request only, and finance rejects any', async () => {
  const { paymentId, rows } = await pay();
  const [rhian, other] = [await signIn('handler'), await signIn('handler')];
  const { id } = (await request(rhian, paymentId, 1_000)).data;
  expect(await reject(other, id)).toMatchObject({ status: 403, code: 'role_not_permitted' });
  expect((await reject(rhian, id)).data).toMatchObject({ status: 'rejected', may_reject: false });
  const second = (await request(rhian, paymentId, 1_000)).data;
  expect((await reject(await signIn('finance', { name: 'Joel' }), second.id)).data.failure_reason).toBe(
    'Not due (Joel)',
  );
  expect((await rows()).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

test('requests, approvals and rejections are audited with the member and the address', async () => {
  const { paymentId } = await pay();
  const [handler, finance] = [await signIn('handler'), await signIn('finance')];
  const { id } = (await request(handler, paymentId, 1_000)).data;
  await approve(finance, id);
  const entries = await stored.pool.query(
    'select actor_id, action, address from audit_entries where subject_id = any($1) order by occurred_at, action desc',
    [[paymentId, id]],
  );
  expect(entries.rows).toEqual([
    { actor_id: handler.id, action: 'payment.refund_requested', address: '203.0.113.7' },
    { actor_id: finance.id, action: 'payment.refund_approval_requested', address: '203.0.113.7' },
  ]);
});

test('the page of a payment shows what the reader may still refund', async () => {
  const { paymentId } = await pay();
  const [handler, finance] = [await signIn('handler'), await signIn('finance')];
  await request(handler, paymentId, 1_500);
  const read = async (caller: Caller) => (await caller.call('GET', `/payments/${paymentId}`)).data;
  expect(await read(handler)).toMatchObject({
    refundable: 16_500,
    refund_limit: 3_500,
    awaiting_approval: 1_500,
    refunds: [{ status: 'awaiting_approval', may_approve: false, may_reject: true }],
  });
  const page = await read(finance);
  expect(page).toMatchObject({ refundable: 16_500, refund_limit: 10_000, refunds: [{ may_approve: true }] });
  expect(page.changes.map(({ to }: { to: string }) => to)).toEqual(
    expect.arrayContaining(['requires_payment_method', 'succeeded']),
  );
  expect((await finance.call('GET', '/refunds')).data.waiting).toEqual(
    expect.arrayContaining([expect.objectContaining({ payment_id: paymentId, amount: 1_500 })]),
  );
});
