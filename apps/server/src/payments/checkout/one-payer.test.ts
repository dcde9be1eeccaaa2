import type { PaymentConfirmationBody } from '@keyturn/contract';
import {
  buildCase,
  buildFirm,
  createPaymentWorld,
  intentOf,
  limitsOf,
  ownCard,
  sandboxCard,
  withTestDatabase,
} from '@keyturn/testkit';
import { beforeAll, describe, expect, test } from 'vitest';
import { readPayment, readPayments } from '../records/read-payment.ts';
import { handleWebhookEvent } from '../webhooks/handle-webhook-event.ts';
import { cancelPayment } from './cancel-payment.ts';
import { confirmPayment } from './confirm-payment.ts';
import { retrievePaymentIntent } from './retrieve-payment-intent.ts';
import { startSearchPayment } from './start-search-payment.ts';

const testDatabase = withTestDatabase();
beforeAll(() => buildFirm(testDatabase.database));
const limits = limitsOf({ min: 100, max: 500_000, dailyMax: 1_000_000 });
const gracesCard = {
  order_now: true,
  order_wording: '2026-12-unknown' as const,
  own_card: false,
  payer_name: 'Grace Okafor',
};

/** Two joint clients with a search to pay for, and the actions of each. */
async function jointClients() {
  const world = createPaymentWorld(testDatabase);
  const { dependencies, intents, eventsOf } = world;
  const { clientIds, caseSearchId, id } = await buildCase(testDatabase.database, {
    clients: [{ firstName: 'Amelia' }, { firstName: 'Tom' }],
  });
  const [amelia = '', tom = ''] = clientIds;
  const start = (clientId: string, confirmed: PaymentConfirmationBody = ownCard) =>
    startSearchPayment(dependencies, { clientId, caseSearchId, confirmed, idempotencyKey: undefined });
  const of = (clientId: string, paymentId: string) => ({ clientId, paymentId, address: undefined });
  return {
    ...world,
    amelia,
    tom,
    start,
    intent: (clientId: string, paymentId: string) =>
      retrievePaymentIntent(dependencies, of(clientId, paymentId)),
    confirm: (clientId: string, paymentId: string, confirmed: PaymentConfirmationBody = {}) =>
      confirmPayment({ ...dependencies, limits }, { ...of(clientId, paymentId), confirmed }),
    cancel: (clientId: string, paymentId: string) => cancelPayment(dependencies, of(clientId, paymentId)),
    read: (clientId: string, paymentId: string) =>
      readPayment(paymentId).forClient(testDatabase.database, clientId),
    list: (clientId: string) => readPayments({}).forClient(dependencies.database, clientId),
    enterCard: (secret: string | null, number?: string) =>
      intents.confirm(intentOf(secret), sandboxCard(number)),
    deliverWebhooks: async (secret: string | null) => {
      for (const event of await eventsOf(intentOf(secret))) await handleWebhookEvent(dependencies, event);
    },
    history: async () =>
      (
        await testDatabase.pool.query(
          "select summary from history_entries where case_id = $1 and category = 'payment'",
          [id],
        )
      ).rows.map(({ summary }) => summary),
  };
}

describe('the client whose card pays', () => {
  test('only the client who confirmed the card can pay', async () => {
    const { amelia, tom, start, intent, confirm, read } = await jointClients();
    const { payment_id, client_secret } = await start(amelia);
    expect(client_secret).not.toBeNull();
    // Tom gets no client secret, regardless of how he opens the payment.
    expect(await start(tom, {})).toMatchObject({ payment_id, client_secret: null });
    expect(await intent(tom, payment_id)).toMatchObject({ client_secret: null });
    const refused = {
      code: 'started_by_other_client',
      message: 'Amelia has started this payment. You have not been charged.',
    };
    await expect(start(tom)).rejects.toMatchObject(refused);
    await expect(confirm(tom, payment_id)).rejects.toMatchObject(refused);
    await expect(confirm(tom, payment_id, ownCard)).rejects.toMatchObject(refused);
    expect(await intent(amelia, payment_id)).toMatchObject({ client_secret });
    expect(await read(tom, payment_id)).toMatchObject({
      payer: { client: { id: amelia, first_name: 'Amelia' } },
      confirmation: null,
    });
  });

  test('a payment stays with its payer when the joint client reads it, even after a decline and expiry', async () => {
    const { amelia, tom, start, intent } = await jointClients();
    const { payment_id } = await start(amelia);
    const row = async () =>
      (
        await testDatabase.pool.query('select last_payer_id, updated_at from payments where id = $1', [
          payment_id,
        ])
      ).rows[0];
    const before = await row();
    await start(tom, {});
    await intent(tom, payment_id);
    expect(await row()).toEqual(before);
    expect(before.last_payer_id).toBe(amelia);
  });

  test('payer, history and receipt name the client whose card paid after the joint client took over', async () => {
    const { amelia, tom, start, cancel, read, list, enterCard, deliverWebhooks, history } =
      await jointClients();
    const hers = await start(amelia, gracesCard);
    await cancel(tom, hers.payment_id);
    const his = await start(tom, { ...ownCard, receipt_email: 'tom@work.test' });
    // Amelia's open card form can no longer pay.
    expect((await enterCard(hers.client_secret)).status).toBe('canceled');
    await enterCard(his.client_secret);
    await deliverWebhooks(hers.client_secret);
    await deliverWebhooks(his.client_secret);
    expect(await read(amelia, his.payment_id)).toMatchObject({
      status: 'succeeded',
      payer: { client: { id: tom, first_name: 'Tom' }, own_card: true, name: expect.stringMatching(/^Tom /) },
      confirmation: null,
    });
    expect(await history()).toEqual([expect.stringMatching(/^Tom paid /)]);
    // Amelia sees who cancelled the payment that she started.
    expect(await list(amelia)).toMatchObject([
      { id: his.payment_id, status: 'succeeded', cancelled_by: null },
      { id: hers.payment_id, status: 'cancelled', cancelled_by: { id: tom, first_name: 'Tom' } },
    ]);
    const { rows } = await testDatabase.pool.query(
      "select cancelled_by from payment_changes where payment_id = $1 and to_status = 'cancelled'",
      [hers.payment_id],
    );
    expect(rows).toEqual([{ cancelled_by: tom }]);
  });

  test('a paid payment stays paid when the joint client takes over before its webhook arrives', async () => {
    const { amelia, tom, start, cancel, read, enterCard, deliverWebhooks, history } = await jointClients();
    const hers = await start(amelia);
    await enterCard(hers.client_secret);
    await expect(cancel(tom, hers.payment_id)).rejects.toMatchObject({ code: 'payment_settled' });
    await expect(start(tom)).rejects.toMatchObject({ code: 'already_paid' });
    await deliverWebhooks(hers.client_secret);
    expect(await read(tom, hers.payment_id)).toMatchObject({ payer: { client: { id: amelia } } });
    expect(await history()).toEqual([expect.stringMatching(/^Amelia paid /)]);
  });

  test('charges nothing when the joint client takes over during the bank’s check', async () => {
    const { amelia, tom, start, cancel, intents, enterCard, deliverWebhooks, history } = await jointClients();
    const hers = await start(amelia);
    expect((await enterCard(hers.client_secret, '4000000000003220')).status).toBe('requires_action');
    await cancel(tom, hers.payment_id);
    const his = await start(tom);
    expect((await intents.authenticate(intentOf(hers.client_secret), 'approved')).status).toBe('canceled');
    await enterCard(his.client_secret);
    await deliverWebhooks(hers.client_secret);
    await deliverWebhooks(his.client_secret);
    expect(await history()).toEqual([expect.stringMatching(/^Tom paid /)]);
  });

  test('fault 25: of two clients who confirm at the same time, only one gets the client secret', async () => {
    const { amelia, tom, start, confirm, read } = await jointClients();
    const { payment_id } = await start(amelia, {});
    const answers = await Promise.allSettled([
      confirm(amelia, payment_id, ownCard),
      confirm(tom, payment_id, ownCard),
    ]);
    const given = answers.filter(({ status }) => status === 'fulfilled');
    expect(given).toHaveLength(1);
    const payer = answers[0]?.status === 'fulfilled' ? amelia : tom;
    expect((await read(amelia, payment_id)).payer.client?.id).toBe(payer);
  });
});

describe('a payment that was opened without answers', () => {
  test('a payment cannot be paid until a client answers for the card', async () => {
    const { amelia, tom, start, intent, confirm, read } = await jointClients();
    const { payment_id, client_secret } = await start(amelia, {});
    expect(client_secret).toBeNull();
    expect(await intent(amelia, payment_id)).toMatchObject({ client_secret: null });
    await expect(confirm(amelia, payment_id)).rejects.toMatchObject({ code: 'confirmation_required' });
    expect((await read(amelia, payment_id)).payer.client).toBeNull();
    // No client has its secret, so it becomes the payment of the first client who confirms.
    expect(await confirm(tom, payment_id, gracesCard)).toMatchObject({ client_secret: expect.any(String) });
    expect((await read(amelia, payment_id)).payer).toMatchObject({
      client: { id: tom },
      own_card: false,
      name: 'Grace Okafor',
    });
  });

  test.each([
    ['whose card it is', { order_now: true, order_wording: '2026-12-unknown' as const }, 'own_card'],
    [
      'the name on someone else’s card',
      { order_now: true, order_wording: '2026-12-unknown' as const, own_card: false },
      'payer_name',
    ],
    [
      'a name that is only spaces',
      { order_now: true, order_wording: '2026-12-unknown' as const, own_card: false, payer_name: '  ' },
      'payer_name',
    ],
    ['the request to order', { own_card: true }, 'order_now'],
    ['consent to the order', { own_card: true, order_now: false }, 'order_now'],
  ])('a payment is not confirmed without %s', async (_what, confirmed, field) => {
    const { amelia, start } = await jointClients();
    await expect(start(amelia, confirmed)).rejects.toMatchObject({
      code: 'invalid_input',
      errors: { [field]: [expect.any(String)] },
    });
  });
});

describe('the answers of a payment', () => {
  test('changed answers of the payer cancel a payment and start another one', async () => {
    const { amelia, start, confirm, enterCard, read } = await jointClients();
    const first = await start(amelia);
    expect(await start(amelia)).toMatchObject({ payment_id: first.payment_id });
    await expect(confirm(amelia, first.payment_id, gracesCard)).rejects.toMatchObject({
      code: 'already_confirmed',
    });
    const second = await start(amelia, gracesCard);
    expect(second.payment_id).not.toBe(first.payment_id);
    // A tab with the earlier answers can no longer pay with them, and so cannot pay as Grace either.
    expect((await enterCard(first.client_secret)).status).toBe('canceled');
    await expect(confirm(amelia, first.payment_id)).rejects.toMatchObject({ code: 'not_payable' });
    expect((await read(amelia, first.payment_id)).payer.own_card).toBe(true);
    expect((await read(amelia, second.payment_id)).payer.name).toBe('Grace Okafor');
  });

  test('a client’s own card is in their name, regardless of the name in the request', async () => {
    const { amelia, start, read } = await jointClients();
    const { payment_id } = await start(amelia, { ...ownCard, payer_name: 'Tom Ashdown' });
    expect((await read(amelia, payment_id)).payer.name).toMatch(/^Amelia /);
  });

  test.each([
    ["confirmed_by = (select id from clients where first_name = 'Tom' order by created_at desc limit 1)"],
    ['own_card = false'],
    ["payer_name = 'Grace'"],
    ["receipt_email = 'tom@example.test'"],
    ['order_now = null'],
    ["wording = '2026-11'"],
  ])('the answers of a payment cannot be changed in the database: %s', async (change) => {
    const { amelia, start } = await jointClients();
    const { payment_id } = await start(amelia);
    await expect(
      testDatabase.pool.query(`update payments set ${change} where id = $1`, [payment_id]),
    ).rejects.toThrow('what a client confirmed for a payment does not change');
  });
});
