import type { PaymentConfirmationBody, PaymentMethod } from '@keyturn/contract';
import {
  buildCase,
  buildFirm,
  createPaymentWorld,
  createTestClock,
  intentOf,
  ownCard,
  withTestDatabase,
} from '@keyturn/testkit';
import { beforeAll, describe, expect, test } from 'vitest';
import type { BankOutcome } from '../../adapters/sandbox/sandbox-outcomes.ts';
import { syncPaymentFromProvider } from '../intents/sync-payment.ts';
import { readPayment } from '../records/read-payment.ts';
import { handleWebhookEvent } from '../webhooks/handle-webhook-event.ts';
import { cancelPayment } from './cancel-payment.ts';
import { confirmPayment } from './confirm-payment.ts';
import { startOtherPayment } from './start-other-payment.ts';
import { startSearchPayment } from './start-search-payment.ts';

const testDatabase = withTestDatabase();
beforeAll(() => buildFirm(testDatabase.database));

const ownAccount = {
  method: 'bank',
  own_card: true,
  order_now: true,
  order_wording: '2026-12-unknown',
} as const;
const limits = {
  card: { min: 100, max: 500_000, dailyMax: 1_000_000 },
  bank: { min: 100, max: 2_500_000, dailyMax: 5_000_000 },
};

/** Two joint clients with a search to pay, the bank's page, and a clock. */
async function jointClients(change: Parameters<typeof createPaymentWorld>[1] = {}) {
  const clock = createTestClock();
  const world = createPaymentWorld(testDatabase, { clock, ...change });
  const dependencies = { ...world.dependencies, limits };
  const { clientIds, caseSearchId, id } = await buildCase(testDatabase.database, {
    clients: [{ firstName: 'Amelia' }, { firstName: 'Tom' }],
  });
  const [amelia = '', tom = ''] = clientIds;
  const startWith = (clientId: string, confirmed: PaymentConfirmationBody) =>
    startSearchPayment(dependencies, { clientId, caseSearchId, confirmed, idempotencyKey: undefined });
  const start = async (confirmed: PaymentConfirmationBody = ownAccount) => {
    const { payment_id, client_secret } = await startWith(amelia, confirmed);
    return { paymentId: payment_id, intentId: intentOf(client_secret) };
  };
  const deliver = async (intentId: string) => {
    for (const event of await world.eventsOf(intentId)) await handleWebhookEvent(dependencies, event);
  };
  return {
    ...world,
    dependencies,
    clock,
    amelia,
    tom,
    caseId: id,
    start,
    startWith,
    /** Opens the bank's page and answers there. */
    answer: async (intentId: string, outcome: BankOutcome) => {
      const { bank_token } = await world.intents.goToBank(intentId, 'http://firm.test/payment');
      await world.intents.answerAtBank(bank_token ?? '', outcome);
      await deliver(intentId);
    },
    /** Lets the money arrive, or the payment fail. */
    settle: async (intentId: string) => {
      clock.advance(11_000);
      await world.intents.settleDue();
      await deliver(intentId);
    },
    deliver,
    of: (paymentId: string, clientId = amelia) => ({ clientId, paymentId, address: undefined }),
    read: (paymentId: string) => readPayment(paymentId).forClient(testDatabase.database, tom),
    history: async () =>
      (
        await testDatabase.pool.query(
          "select summary from history_entries where case_id = $1 and category = 'payment' order by occurred_at, id",
          [id],
        )
      ).rows.map(({ summary }) => summary),
    mails: async (paymentId: string) =>
      (
        await testDatabase.pool.query('select kind from payment_mails where payment_id = $1', [paymentId])
      ).rows.map(({ kind }) => kind),
  };
}

describe('a payment by bank', () => {
  test('a payment by bank is initiated, authorised by the bank and settled, and is recorded without a card', async () => {
    const { start, intents, deliver, answer, settle, read, history, mails } = await jointClients();
    const { paymentId, intentId } = await start();
    expect(await read(paymentId)).toMatchObject({
      method: 'bank',
      status: 'requires_payment_method',
      bank_state: 'initiated',
    });
    await intents.goToBank(intentId, 'http://firm.test/payment');
    await deliver(intentId);
    expect(await read(paymentId)).toMatchObject({ status: 'requires_action', bank_state: 'initiated' });
    await answer(intentId, 'approved');
    expect(await read(paymentId)).toMatchObject({
      status: 'processing',
      bank_state: 'authorised',
      paid_at: null,
      receipt_number: null,
    });
    await settle(intentId);
    expect(await read(paymentId)).toMatchObject({
      status: 'succeeded',
      bank_state: 'settled',
      card: null,
      receipt_number: expect.any(String),
    });
    expect(await history()).toEqual([
      expect.stringMatching(/^The payer’s bank approved £.* We’re waiting for the money$/),
      expect.stringMatching(/^Amelia paid £.* by bank$/),
    ]);
    expect(await mails(paymentId)).toEqual(['receipt']);
  });

  test('an authorised payment by bank blocks every other payment for the search', async () => {
    const { start, startWith, answer, of, tom, amelia, dependencies } = await jointClients();
    const { paymentId, intentId } = await start();
    await answer(intentId, 'approved');
    await expect(startWith(amelia, ownCard)).rejects.toMatchObject({ code: 'payment_being_checked' });
    await expect(startWith(tom, ownCard)).rejects.toMatchObject({ code: 'started_by_other_client' });
    await expect(cancelPayment(dependencies, of(paymentId))).rejects.toMatchObject({
      code: 'payment_settled',
    });
    const { rows } = await testDatabase.pool.query(
      'select count(*)::int as n from payments where case_search_id = (select case_search_id from payments where id = $1)',
      [paymentId],
    );
    expect(rows).toEqual([{ n: 1 }]);
  });

  test('a payment by bank that fails after the approval is open again, and its client gets an email', async () => {
    const { start, answer, settle, read, history, mails } = await jointClients();
    const { paymentId, intentId } = await start();
    await answer(intentId, 'fails_later');
    expect(await read(paymentId)).toMatchObject({ bank_state: 'authorised' });
    await settle(intentId);
    expect(await read(paymentId)).toMatchObject({
      status: 'requires_payment_method',
      bank_state: 'failed',
      failure: { code: 'bank_failed', message: expect.stringContaining('If money has left your account') },
    });
    expect(await mails(paymentId)).toEqual(['not_paid']);
    expect((await history()).at(-1)).toMatch(/^The payer’s bank did not send £/);
    await answer(intentId, 'approved');
    await settle(intentId);
    expect(await read(paymentId)).toMatchObject({ status: 'succeeded' });
  });

  test.each([
    ['declined', 'bank_declined'],
    ['cancelled', 'bank_cancelled'],
  ] as const)('a payment by bank that is %s at the bank can be tried again', async (outcome, code) => {
    const { start, answer, settle, read, mails } = await jointClients();
    const { paymentId, intentId } = await start();
    await answer(intentId, outcome);
    expect(await read(paymentId)).toMatchObject({ bank_state: 'failed', failure: { code } });
    expect(await mails(paymentId)).toEqual([]);
    await answer(intentId, 'approved');
    await settle(intentId);
    expect(await read(paymentId)).toMatchObject({ bank_state: 'settled', failure: null });
  });

  test('a payment that the bank refuses does not count as a declined card', async () => {
    const { start, answer, intents, dependencies } = await jointClients();
    const { paymentId, intentId } = await start();
    for (let attempt = 0; attempt < 3; attempt += 1) await answer(intentId, 'declined');
    // The periodic check records the same as a webhook.
    const { bank_token } = await intents.goToBank(intentId, 'http://firm.test/payment');
    await intents.answerAtBank(bank_token ?? '', 'cancelled');
    await syncPaymentFromProvider(dependencies, intentId, { name: 'reconciliation' });
    const { rows } = await testDatabase.pool.query(
      "select count(*)::int as n from payment_attempts where payment_id = $1 and kind = 'decline'",
      [paymentId],
    );
    expect(rows).toEqual([{ n: 0 }]);
  });

  test('a payment by bank needs the client’s own account, and wording about payments by bank', async () => {
    const { start } = await jointClients();
    await expect(start({ ...ownAccount, own_card: false, payer_name: 'Grace Okafor' })).rejects.toMatchObject(
      { code: 'invalid_input', errors: { own_card: [expect.any(String)] } },
    );
    await expect(start({ ...ownAccount, wording: '2026-11' })).rejects.toMatchObject({
      code: 'invalid_input',
      errors: { wording: [expect.any(String)] },
    });
    await expect(start({ ...ownAccount, wording: '2026-11-bank' })).resolves.toBeDefined();
  });

  test('the database keeps the method of a payment by bank, and allows no card on it', async () => {
    const { start } = await jointClients();
    const { paymentId } = await start();
    const change = (sets: string) =>
      testDatabase.pool.query(`update payments set ${sets} where id = $1`, [paymentId]);
    await expect(change("method = 'card'")).rejects.toThrow('the method of a payment does not change');
    await expect(change("card_brand = 'visa', card_last4 = '4242'")).rejects.toThrow(
      'payments_by_bank_have_no_card',
    );
  });
});

describe('choosing another method', () => {
  test.each([
    ['bank', 'card'],
    ['card', 'bank'],
  ] as const)('replaces a payment by %s with one by %s', async (from, to) => {
    const { start, read, intents } = await jointClients();
    const confirmed = (method: PaymentMethod) => ({ ...ownAccount, method });
    const before = await start(confirmed(from));
    const after = await start(confirmed(to));
    expect(after.paymentId).not.toBe(before.paymentId);
    expect(await intents.find(before.intentId)).toMatchObject({ status: 'canceled' });
    expect(await read(before.paymentId)).toMatchObject({ status: 'cancelled', method: from });
    expect(await read(after.paymentId)).toMatchObject({
      method: to,
      bank_state: to === 'bank' ? 'initiated' : null,
    });
  });

  test('choosing another method replaces a payment that no client has confirmed', async () => {
    const { amelia, startWith, start, dependencies, of } = await jointClients();
    const unconfirmed = await startWith(amelia, {});
    await expect(
      confirmPayment(dependencies, { ...of(unconfirmed.payment_id), confirmed: ownAccount }),
    ).rejects.toMatchObject({ code: 'already_confirmed' });
    expect((await start()).paymentId).not.toBe(unconfirmed.payment_id);
  });

  test('an intent cannot be paid by the other method at the provider', async () => {
    const { start, intents } = await jointClients();
    const { intentId } = await start(ownCard);
    expect(await intents.goToBank(intentId, 'http://firm.test/payment')).toMatchObject({
      status: 'requires_payment_method',
      bank_token: null,
    });
  });
});

describe('what can be paid by bank', () => {
  test('the firm chooses for each purpose whether it can be paid by bank', async () => {
    const { dependencies, start } = await jointClients();
    const { paymentId } = await start();
    const { purposes } = dependencies;
    const closed = { ...dependencies, purposes: { ...purposes, bank: { ...purposes.bank, search: null } } };
    const again = { ...(await requestOf(paymentId)), confirmed: ownAccount, idempotencyKey: undefined };
    await expect(startSearchPayment(closed, again)).rejects.toMatchObject({ code: 'bank_not_accepted' });
    await expect(startSearchPayment(closed, { ...again, confirmed: ownCard })).resolves.toMatchObject({
      method: 'card',
    });
  });

  test('payments by bank depend on the capabilities of the provider’s account', async () => {
    const { start } = await jointClients({ provider: () => ({ acceptsBankPayments: () => false }) });
    await expect(start()).rejects.toMatchObject({ code: 'bank_not_accepted' });
    await expect(start(ownCard)).resolves.toBeDefined();
  });

  test('payments by bank have higher limits, separate from those of cards', async () => {
    const { dependencies, amelia } = await jointClients();
    const pay = (method: PaymentMethod, amount: number) =>
      startOtherPayment(dependencies, {
        clientId: amelia,
        body: { category: 'money_on_account', amount, own_card: true, method },
        idempotencyKey: undefined,
      });
    await expect(pay('card', 1_000_000)).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(pay('bank', 2_500_000)).resolves.toMatchObject({ method: 'bank', amount: 2_500_000 });
    await expect(pay('card', 500_000)).resolves.toMatchObject({ method: 'card' });
    await expect(pay('bank', 2_500_000)).resolves.toBeDefined();
    await expect(pay('bank', 100)).rejects.toMatchObject({ code: 'limit_reached' });
    await expect(pay('card', 100)).resolves.toBeDefined();
  });
});

/** The client and the search of a payment. */
async function requestOf(paymentId: string) {
  const { rows } = await testDatabase.pool.query(
    'select confirmed_by as "clientId", case_search_id as "caseSearchId" from payments where id = $1',
    [paymentId],
  );
  return rows[0] as { clientId: string; caseSearchId: string };
}
