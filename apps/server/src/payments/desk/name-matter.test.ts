import { buildCase, buildPayment, createPaymentWorld, withTestDatabase } from '@keyturn/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paymentDeskHandlers } from '../../doors/staff/payment-routes.ts';
import { openSession, serveStaff } from '../../testing/serve-staff.ts';
import { findLocalDiscrepancies } from '../reconciliation/find-local-discrepancies.ts';

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

/** Money on account for a sale and a purchase, whose client chose neither. */
async function payForUnknownMatter(change: object = {}) {
  const built = await buildCase(stored.database, { matters: [{ matterType: 'sale' }, {}] });
  const { id } = await buildPayment(stored.database, {
    caseId: built.id,
    clientId: built.clientId,
    kind: 'other',
    category: 'money_on_account',
    matterId: null,
    status: 'succeeded',
    ...change,
  });
  const [sale = '', purchase = ''] = built.matters.map((matter) => matter.id);
  return { id, sale, purchase, caseId: built.id };
}

test('finance names the matter of a payment once, and the audit log and the payment’s record say so', async () => {
  const { id, sale, purchase } = await payForUnknownMatter();
  const finance = await signIn('finance');
  const shown = async () => (await finance.call('GET', `/payments/${id}`)).data;
  expect(await shown()).toMatchObject({
    matter_reference: null,
    matters_to_name: [
      { id: sale, matter_type: 'sale' },
      { id: purchase, matter_type: 'purchase' },
    ],
  });
  const name = (matter_id: string) => finance.call('POST', `/payments/${id}/matter`, { matter_id });
  for (const answer of [await name(purchase), await name(purchase)])
    expect(answer).toMatchObject({
      status: 200,
      data: { matter_reference: expect.any(String), matters_to_name: [] },
    });
  expect(await name(sale)).toMatchObject({ status: 409, code: 'edit_not_possible' });
  const { rows } = await stored.pool.query('select action from audit_entries where subject_id = $1', [id]);
  expect(rows).toEqual([{ action: 'payment.matter_named' }]);
  const causes = (await shown()).changes.map(({ cause }: { cause: string }) => cause);
  expect(causes.filter((cause: string) => cause === 'matter_named')).toHaveLength(1);
  await expect(
    stored.pool.query('update payments set matter_id = $2 where id = $1', [id, sale]),
  ).rejects.toThrow('the matter of a payment does not change');
});

test('no one names a matter of another case, and a handler names none', async () => {
  const { id, sale } = await payForUnknownMatter();
  const { matterId: other } = await buildCase(stored.database);
  const finance = await signIn('finance');
  for (const matter_id of [other, '00000000-0000-4000-8000-000000000000', ''])
    expect(await finance.call('POST', `/payments/${id}/matter`, { matter_id })).toMatchObject({
      status: 422,
      body: { errors: { matter_id: ['must be a matter of this case'] } },
    });
  const handler = await signIn('handler');
  expect(await handler.call('POST', `/payments/${id}/matter`, { matter_id: sale })).toMatchObject({
    status: 403,
  });
  expect((await finance.call('GET', `/payments/${id}`)).data.matter_reference).toBeNull();
});

test.each([
  ['is not paid', { status: 'requires_payment_method' }],
  ['was refunded', { status: 'refunded' }],
])('a payment that %s has no matter to name', async (_, change) => {
  const { id, sale } = await payForUnknownMatter(change);
  const finance = await signIn('finance');
  expect((await finance.call('GET', `/payments/${id}`)).data.matters_to_name).toEqual([]);
  expect(await finance.call('POST', `/payments/${id}/matter`, { matter_id: sale })).toMatchObject({
    status: 409,
    message: 'This payment needs no matter.',
  });
});

test('the reconciliation reports a payment whose matter no one named by the end of the next working day', async () => {
  // A Friday.
  const { id } = await payForUnknownMatter({ paidAt: new Date('2026-11-20T12:00:00Z') });
  const reportedAt = async (now: string) =>
    (await findLocalDiscrepancies(stored.database, { now: new Date(now), canCall: () => true })).filter(
      ({ kind, subject }) => kind === 'matter_unknown' && subject === id,
    ).length;
  expect(await reportedAt('2026-11-23T17:00:00Z')).toBe(0);
  expect(await reportedAt('2026-11-24T00:30:00Z')).toBe(1);
});
