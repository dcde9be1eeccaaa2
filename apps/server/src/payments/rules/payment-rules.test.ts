import { readFile } from 'node:fs/promises';
import { type OtherPaymentBody, paymentPurposes } from '@keyturn/contract';
import type { PaymentRules } from '@keyturn/contract/staff';
import {
  buildBill,
  buildCase,
  createPaymentWorld,
  limitsOf,
  ownCard,
  withFreshTestDatabase,
} from '@keyturn/testkit';
import { expect, test } from 'vitest';
import { readFirmData } from '../../platform/firm-data/firm-data.ts';
import { confirmPayment } from '../checkout/confirm-payment.ts';
import { retrievePaymentIntent } from '../checkout/retrieve-payment-intent.ts';
import { startOtherPayment } from '../checkout/start-other-payment.ts';
import { startSearchPayment } from '../checkout/start-search-payment.ts';
import { type LinkRequest, sendLink } from '../links/send-link.ts';
import { withdrawLink } from '../links/withdraw-link.ts';

const stored = withFreshTestDatabase();
const query = async (text: string, values: unknown[] = []) => (await stored.pool.query(text, values)).rows;
const by = { actor: { kind: 'staff', id: 'rhian', name: 'Rhian Morgan' }, address: '203.0.113.7' } as const;

function world() {
  const { dependencies } = createPaymentWorld(stored);
  const limited = { ...dependencies, limits: limitsOf({ min: 100, max: 500_000, dailyMax: 1_000_000 }) };
  const pay = (clientId: string, change: Partial<OtherPaymentBody> = {}, idempotencyKey?: string) =>
    startOtherPayment(limited, {
      clientId,
      body: { category: 'money_on_account', amount: 25_000, own_card: true, ...change },
      idempotencyKey,
    });
  return { dependencies: limited, pay };
}

/** Stores rules of the firm on top of those of the tests, which accept everything. */
async function storeRules(change: { unasked?: object; not_before?: object }) {
  const { value } = await readFirmData(stored.database, 'payment_rules');
  const rules: PaymentRules = {
    ...value,
    unasked: { ...value.unasked, ...change.unasked },
    not_before: { ...value.not_before, ...change.not_before },
  };
  await query(
    `insert into firm_data (kind, version, value)
     select kind, max(version) + 1, $1 from firm_data where kind = 'payment_rules' group by kind`,
    [JSON.stringify(rules)],
  );
}

const acceptsNothing = Object.fromEntries(
  paymentPurposes
    .filter((purpose) => purpose !== 'search' && purpose !== 'legal_fees')
    .map((name) => [name, null]),
);
const onlyIfAsked = {
  code: 'invalid_input',
  errors: { category: ['We only accept this if we’ve asked you for it. Please call us first.'] },
};

/** A case of Amelia and Tom, whose identity check is not done. */
const caseOfTwo = (change: Parameters<typeof buildCase>[1] = {}) =>
  buildCase(stored.database, {
    clients: [{ reference: 'C-1' }, { reference: 'C-2' }],
    matters: [{ milestones: [{ key: 'identity_checked', status: 'current' }] }],
    ...change,
  });

const finishCheck = (matterId: string, status = 'done') =>
  query(`update milestones set status = $2 where matter_id = $1 and key = 'identity_checked'`, [
    matterId,
    status,
  ]);

const linkTo = (caseReference: string): LinkRequest => ({
  target: { kind: 'other', caseReference, category: 'money_on_account', amount: 25_000 },
  clientReference: 'C-1',
  key: null,
});

test('a new firm accepts only what it has asked for, and only after the identity check', async () => {
  const [{ value }] = (await query(
    `select value from firm_data where kind = 'payment_rules' and version = 2`,
  )) as [{ value: PaymentRules }];
  expect(value).toMatchObject({ is_decided: false, order_searches: 'cleared', unasked: acceptsNothing });
  const { identity_check, ...others } = value.not_before;
  expect([identity_check, ...new Set(Object.values(others))]).toEqual(['none', 'identity_checked']);
});

test('a firm that used release 0.2 accepts payments as before until it decides', async () => {
  await query(`update installation set firm = '{"name": "Firm", "closed_on": []}'`);
  const migration = new URL('../../schema/migrations/0019_limits_of_payments.sql', import.meta.url);
  await query(await readFile(migration, 'utf8'));
  const { value } = await readFirmData(stored.database, 'payment_rules');
  expect(value.is_decided).toBe(false);
  expect(new Set(Object.values(value.unasked))).toEqual(new Set([100_000_000]));
  expect(new Set(Object.values(value.not_before))).toEqual(new Set(['none']));
});

test('refuses what the firm has not asked for and does not accept, with a message for the client', async () => {
  await storeRules({ unasked: acceptsNothing });
  const { clientId } = await caseOfTwo();
  const { pay } = world();
  for (const category of ['money_on_account', 'other', 'search_pack'] as const)
    await expect(pay(clientId, { category })).rejects.toMatchObject(onlyIfAsked);
});

test('limits what is paid unasked in a day, with what is paid or started already', async () => {
  await storeRules({ unasked: { money_on_account: 30_000 } });
  const { clientIds } = await caseOfTwo();
  const [amelia = '', tom = ''] = clientIds;
  const { pay } = world();
  await expect(pay(amelia, { amount: 30_001 })).rejects.toMatchObject({
    code: 'invalid_input',
    errors: {
      amount: [
        'You can pay up to £300.00 a day for this if we haven’t asked for it. To pay more, please call us first.',
      ],
    },
  });
  await pay(amelia, { amount: 20_000 });
  await expect(pay(tom, { amount: 10_001 })).rejects.toMatchObject({
    errors: { amount: [expect.stringContaining('£200.00 has already been paid or started for this')] },
  });
  await pay(tom, { amount: 10_000 });
});

test('a payment request is paid once, by the client it was sent to, whatever the firm accepts otherwise', async () => {
  await storeRules({ unasked: acceptsNothing });
  const { clientIds, reference } = await caseOfTwo();
  const [amelia = '', tom = ''] = clientIds;
  const { dependencies, pay } = world();
  await sendLink(dependencies, linkTo(reference));
  await expect(pay(tom)).rejects.toMatchObject(onlyIfAsked);
  await expect(pay(amelia, { amount: 25_001 })).rejects.toMatchObject(onlyIfAsked);
  await expect(pay(amelia, { category: 'other' })).rejects.toMatchObject(onlyIfAsked);
  const { payment_id: paymentId } = await pay(amelia, {}, 'first');
  expect(await pay(amelia, {}, 'first')).toMatchObject({ payment_id: paymentId });
  await expect(pay(amelia, {}, 'second')).rejects.toMatchObject(onlyIfAsked);
  const retrieve = () =>
    retrievePaymentIntent(dependencies, { clientId: amelia, paymentId, address: undefined });
  expect(await retrieve()).toMatchObject({ payment_id: paymentId });
  await query('update payment_links set withdrawn_at = now()');
  await expect(retrieve()).rejects.toMatchObject({ code: 'not_payable' });
});

test('a payment request that was withdrawn asks for nothing', async () => {
  await storeRules({ unasked: acceptsNothing });
  const { clientId, reference } = await caseOfTwo();
  const { dependencies, pay } = world();
  await sendLink(dependencies, linkTo(reference));
  const [{ id }] = (await query('select id from payment_links')) as [{ id: string }];
  await withdrawLink(dependencies, id, by);
  await expect(pay(clientId)).rejects.toMatchObject(onlyIfAsked);
});

test('an open task to pay an amount asks for one payment of that amount', async () => {
  await storeRules({ unasked: acceptsNothing });
  const { clientId } = await caseOfTwo({ tasks: [{ kind: 'pay', amount: 12_000 }] });
  const { pay } = world();
  await expect(pay(clientId, { amount: 12_001 })).rejects.toMatchObject(onlyIfAsked);
  await pay(clientId, { amount: 12_000, category: 'leasehold_pack' });
  await expect(pay(clientId, { amount: 12_000, category: 'other' })).rejects.toMatchObject(onlyIfAsked);
});

test('a payment of the bill that a task asks for answers the task', async () => {
  await storeRules({ unasked: acceptsNothing });
  const { id: caseId, clientId } = await caseOfTwo({ tasks: [{ kind: 'pay', amount: 27_600 }] });
  const bill = await buildBill(stored.database, { caseId });
  const { pay } = world();
  await pay(clientId, { amount: 27_600, category: 'legal_fees', bill_id: bill.id });
  await expect(pay(clientId, { amount: 27_600 })).rejects.toMatchObject(onlyIfAsked);
});

test('what the firm has asked for does not count towards the limit of a day', async () => {
  await storeRules({ unasked: { money_on_account: 10_000 } });
  const { clientId } = await caseOfTwo({ tasks: [{ kind: 'pay', amount: 50_000 }] });
  const { pay } = world();
  await pay(clientId, { amount: 50_000 });
  await pay(clientId, { amount: 10_000 });
  await expect(pay(clientId, { amount: 100 })).rejects.toMatchObject({
    errors: { amount: [expect.stringContaining('£100.00 has already been paid or started for this')] },
  });
});

test('a payment that was started before the firm stopped accepting it cannot be paid', async () => {
  const { clientId } = await caseOfTwo();
  const { dependencies, pay } = world();
  const { payment_id: paymentId } = await pay(clientId, {}, 'key');
  await storeRules({ unasked: { money_on_account: 24_999 } });
  const confirmed = { clientId, paymentId, confirmed: { own_card: true }, address: undefined };
  await expect(confirmPayment(dependencies, confirmed)).rejects.toMatchObject({ code: 'not_payable' });
  await expect(pay(clientId, {}, 'key')).rejects.toMatchObject({ code: 'invalid_input' });
});

test.each(['done', 'not_needed'])(
  'a search is paid once the identity check of its matter is %s',
  async (status) => {
    await storeRules({ not_before: { search: 'identity_checked' } });
    const { clientId, caseSearchId, matterId } = await caseOfTwo();
    const { dependencies } = world();
    const start = () =>
      startSearchPayment(dependencies, {
        clientId,
        caseSearchId,
        confirmed: ownCard,
        idempotencyKey: undefined,
      });
    await expect(start()).rejects.toMatchObject({ code: 'identity_not_checked' });
    await finishCheck(matterId, status);
    const { payment_id: paymentId } = await start();
    await finishCheck(matterId, 'blocked');
    const retrieve = { clientId, paymentId, address: undefined };
    await expect(retrievePaymentIntent(dependencies, retrieve)).rejects.toMatchObject({
      code: 'identity_not_checked',
    });
  },
);

test('a payment without a matter waits for the identity check of each open matter', async () => {
  await storeRules({ not_before: { money_on_account: 'identity_checked' } });
  const step = { milestones: [{ key: 'identity_checked', status: 'current' as const }] };
  const built = await caseOfTwo({ matters: [step, step, { ...step, status: 'completed' }] });
  const [first = '', second = ''] = built.matters.map(({ id }) => id);
  const { pay } = world();
  await finishCheck(first);
  await expect(pay(built.clientId)).rejects.toMatchObject({ code: 'identity_not_checked' });
  await pay(built.clientId, { matter_id: first });
  await finishCheck(second);
  await pay(built.clientId);
});

test('a bill waits for the identity check only if the firm says so, and a matter without that step for nothing', async () => {
  await storeRules({ not_before: { legal_fees: 'identity_checked' } });
  const { clientId, id: caseId, matterId } = await caseOfTwo();
  const { id: bill_id } = await buildBill(stored.database, { caseId, matterId });
  const { pay } = world();
  const payBill = () => pay(clientId, { category: 'legal_fees', bill_id, amount: 27_600 });
  await expect(payBill()).rejects.toMatchObject({ code: 'identity_not_checked' });
  await query('delete from milestones where matter_id = $1', [matterId]);
  await payBill();
});

test('the firm cannot send a request to pay what comes after the identity check', async () => {
  await storeRules({ not_before: { money_on_account: 'identity_checked' } });
  const { reference, matterId } = await caseOfTwo();
  const { dependencies } = world();
  await expect(sendLink(dependencies, linkTo(reference))).rejects.toMatchObject({
    code: 'link_not_possible',
    message:
      'By your rules for payments, it can be paid once the step “Identity check” of the matter is done. Nothing was sent.',
  });
  await finishCheck(matterId);
  expect(await sendLink(dependencies, linkTo(reference))).toMatchObject([{ outcome: 'sent' }]);
});
