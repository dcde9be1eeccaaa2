import { buildCase, buildPayment, createPaymentWorld, withTestDatabase } from '@keyturn/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paymentDeskHandlers } from '../../doors/staff/payment-routes.ts';
import { openSession, serveStaff } from '../../testing/serve-staff.ts';
import { readPayment } from '../records/read-payment.ts';

const stored = withTestDatabase();
let desk: Awaited<ReturnType<typeof serveStaff>>;

beforeAll(async () => {
  const { dependencies } = createPaymentWorld(stored);
  const unused = {
    receipts: { get: () => Promise.reject(new Error('not needed')) },
    isKeyRejected: () => false,
  };
  desk = await serveStaff(stored, { handlers: () => paymentDeskHandlers({ ...dependencies, ...unused }) });
});
afterAll(() => desk.app.close());

const signIn = (role: 'handler' | 'finance') => openSession(stored, desk, { role, name: 'Joel Adeyemi' });

/** A payment by the mother of the client. */
async function payForClient(change: Partial<Parameters<typeof buildPayment>[1]> = {}) {
  const { id: caseId, clientId } = await buildCase(stored.database);
  const row = { caseId, clientId, ownCard: false, payerName: 'Grace Hall', status: 'succeeded', ...change };
  const { id } = await buildPayment(stored.database, row as Parameters<typeof buildPayment>[1]);
  return { id, clientId };
}

const check = {
  relationship: 'Mother ',
  source: 'Savings, seen on a statement of October',
  identity: 'Passport and electronic check: passed',
  approved_by: 'Dana Price',
};

test('finance records once who paid for a client, and the client sees only that it was checked', async () => {
  const { id, clientId } = await payForClient();
  const finance = await signIn('finance');
  const shown = async () => (await readPayment(id).forClient(stored.database, clientId)).payer.check;
  expect((await finance.call('GET', `/payments/${id}`)).data).toMatchObject({
    awaits_payer_check: true,
    payer_check: null,
    card_holder: 'Grace Hall',
  });
  expect(await shown()).toEqual({ done_at: null });
  const record = (words: object) => finance.call('POST', `/payments/${id}/payer-check`, words);
  const recorded = { ...check, relationship: 'Mother', recorded_by: 'Joel Adeyemi' };
  for (const answer of [await record(check), await record(check)])
    expect(answer).toMatchObject({
      status: 200,
      data: { awaits_payer_check: false, payer_check: recorded },
    });
  expect(await shown()).toEqual({ done_at: expect.any(String) });
  expect(await record({ ...check, relationship: 'Aunt' })).toMatchObject({
    status: 409,
    code: 'edit_not_possible',
    message: 'Joel Adeyemi has recorded the check of this payer already.',
  });
  const { changes } = (await finance.call('GET', `/payments/${id}`)).data;
  expect(changes.filter(({ cause }: { cause: string }) => cause === 'payer_checked')).toHaveLength(1);
  const { rows } = await stored.pool.query('select action from audit_entries where subject_id = $1', [id]);
  expect(rows).toEqual([{ action: 'payment.payer_checked' }]);
});

test.each([
  [{ ownCard: true, payerName: null }, 'The client paid this with their own card or from their own account.'],
  [{ status: 'requires_payment_method' }, 'This payment is not paid yet.'],
  [{ status: 'refunded' }, 'None of the money of this payment is left.'],
] as const)('refuses the check of a payment with %j', async (change, message) => {
  const { id } = await payForClient(change as object);
  const finance = await signIn('finance');
  expect(await finance.call('POST', `/payments/${id}/payer-check`, check)).toMatchObject({
    status: 409,
    message,
  });
  expect((await finance.call('GET', `/payments/${id}`)).data).toMatchObject({ awaits_payer_check: false });
});

test('names every missing word of a check, and refuses one by a handler', async () => {
  const { id } = await payForClient();
  const words = { ...check, relationship: ' ', approved_by: '' };
  const answer = await (await signIn('finance')).call('POST', `/payments/${id}/payer-check`, words);
  expect(answer).toMatchObject({ status: 422 });
  expect(Object.keys(answer.body.errors)).toEqual(['relationship', 'approved_by']);
  expect(await (await signIn('handler')).call('POST', `/payments/${id}/payer-check`, check)).toMatchObject({
    status: 403,
  });
});

test('a handler requests no refund of money that another person paid, before or after the check', async () => {
  const { id } = await payForClient();
  const [handler, finance] = [await signIn('handler'), await signIn('finance')];
  const request = (key: string) =>
    handler.call('POST', `/payments/${id}/refunds`, {
      amount: 100,
      reason: 'requested_by_customer',
      note: 'Not needed',
      key,
    });
  expect(await request('before-the-check')).toMatchObject({ status: 409, code: 'refund_not_possible' });
  await finance.call('POST', `/payments/${id}/payer-check`, check);
  expect(await request('after-the-check')).toMatchObject({ status: 409, code: 'refund_not_possible' });
  expect((await handler.call('GET', `/payments/${id}`)).data).toMatchObject({ refund_limit: 0 });
});

test('the database keeps a check as it was recorded', async () => {
  const { id } = await payForClient();
  await (await signIn('finance')).call('POST', `/payments/${id}/payer-check`, check);
  await expect(
    stored.pool.query(`update payments set payer_check = null where id = $1`, [id]),
  ).rejects.toThrow('the check of a payer does not change');
});
