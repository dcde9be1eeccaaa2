import type { PaymentConfirmationBody } from '@keyturn/contract';
import {
  buildCase,
  createPaymentWorld,
  createTestClock,
  intentOf,
  limitsOf,
  ownCard,
  sandboxCard,
  startTestPayment,
  withTestDatabase,
} from '@keyturn/testkit';
import { describe, expect, test } from 'vitest';
import { createPaymentAttempts } from '../attempts/payment-attempts.ts';
import { syncPaymentFromProvider } from '../intents/sync-payment.ts';
import { ProviderUnavailable } from '../ports/provider.ts';
import { cancelPayment } from './cancel-payment.ts';
import { confirmPayment } from './confirm-payment.ts';
import { startOtherPayment } from './start-other-payment.ts';
import { startSearchPayment } from './start-search-payment.ts';

const testDatabase = withTestDatabase();
const limits = limitsOf({ min: 100, max: 500_000, dailyMax: 1_000_000 });

/** Two joint clients with an open payment for a search. */
async function openPayment(world = createPaymentWorld(testDatabase)) {
  const { clientIds, caseSearchId } = await buildCase(testDatabase.database, { clients: [{}, {}] });
  const [amelia = '', tom = ''] = clientIds;
  const started = await startTestPayment(world.dependencies, { clientId: amelia, caseSearchId });
  const confirm = (
    clientId: string,
    confirmed: PaymentConfirmationBody = {},
    { dependencies = world.dependencies, paymentId = started.paymentId } = {},
  ) =>
    confirmPayment({ ...dependencies, limits }, { clientId, paymentId, confirmed, address: '198.51.100.7' });
  /** Replaces the payment by one that no client has confirmed. */
  const unconfirmed = async () => {
    await cancelPayment(world.dependencies, { clientId: amelia, paymentId: started.paymentId });
    const opened = await startSearchPayment(world.dependencies, {
      clientId: amelia,
      caseSearchId,
      confirmed: {},
      idempotencyKey: undefined,
    });
    return { paymentId: opened.payment_id, amount: opened.amount };
  };
  const changePrice = (gross: number) =>
    testDatabase.pool.query(
      'update case_searches set price_net = $2, price_vat = 0, price_gross = $2 where id = $1',
      [caseSearchId, gross],
    );
  return { ...world, ...started, amelia, tom, caseSearchId, confirm, changePrice, unconfirmed };
}
const rowOf = async (paymentId: string) =>
  (await testDatabase.pool.query('select * from payments where id = $1', [paymentId])).rows[0];
const confirmationsOf = async (paymentId: string) =>
  (
    await testDatabase.pool.query(
      "select confirmed_by, confirmed, confirmed_from from payment_changes where payment_id = $1 and cause = 'payment_confirmed' order by id",
      [paymentId],
    )
  ).rows;
const unavailable = () => Promise.reject(new ProviderUnavailable('no connection'));

describe('confirming a payment', () => {
  test.each([
    ['the right to cancel', `update conveyancing_cases set cancellation = 'none'`],
    ['the refund rule', `update case_searches set refund_rule = 'No refund.'`],
    ['the release', 'update payments set order_wording = null, order_words = null'],
  ])(
    'cancels a payment before the card is sent if %s has changed the request to order',
    async (_what, change) => {
      const { confirm, amelia, paymentId } = await openPayment();
      // The words of a payment do not change; those that an earlier release has confirmed are null.
      await testDatabase.pool.query(
        `start transaction; set local session_replication_role = replica; ${change}; commit`,
      );
      await expect(confirm(amelia)).rejects.toMatchObject({ code: 'wording_changed' });
      expect(await rowOf(paymentId)).toMatchObject({ status: 'cancelled' });
    },
  );

  test('confirming a payment records who confirmed what, from where, and gives them the client secret', async () => {
    const { dependencies, confirm, amelia, caseSearchId, unconfirmed } = await openPayment();
    const { paymentId, amount } = await unconfirmed();
    const answers = { order_now: true, own_card: false, payer_name: 'Grace' };
    const graces = { ...answers, order_wording: '2026-12-unknown' as const };
    const intent = await confirm(amelia, { ...graces, price: amount }, { paymentId });
    expect(intent).toMatchObject({ payment_id: paymentId, amount, status: 'requires_payment_method' });
    expect(
      await startTestPayment(dependencies, { clientId: amelia, caseSearchId, confirmed: graces }),
    ).toEqual({
      paymentId,
      amount,
      intentId: intentOf(intent.client_secret),
    });
    expect(await confirmationsOf(paymentId)).toEqual([
      {
        confirmed_by: amelia,
        confirmed: { ...answers, order_now_at: expect.any(String) },
        confirmed_from: '198.51.100.7',
      },
    ]);
  });

  test('returns the intent and records nothing for a payment that the client has confirmed', async () => {
    const { confirm, amelia, paymentId, intentId, amount } = await openPayment();
    for (const confirmed of [{}, ownCard, { price: amount }]) {
      const intent = await confirm(amelia, confirmed);
      expect(intentOf(intent.client_secret)).toBe(intentId);
    }
    expect(await confirmationsOf(paymentId)).toEqual([]);
  });

  test('confirming answers not_found for the payment of another client, and for an unknown id', async () => {
    const { confirm, dependencies, paymentId } = await openPayment();
    const { clientId } = await buildCase(testDatabase.database);
    await expect(confirm(clientId, ownCard)).rejects.toMatchObject({ code: 'not_found' });
    for (const unknown of ['00000000-0000-4000-8000-000000000000', 'x']) {
      await expect(
        confirmPayment(
          { ...dependencies, limits },
          { clientId, paymentId: unknown, confirmed: {}, address: undefined },
        ),
      ).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(await confirmationsOf(paymentId)).toEqual([]);
  });

  test('confirming answers already_paid for a paid payment, after applying the provider’s state', async () => {
    const { confirm, amelia, tom, intents, intentId, paymentId } = await openPayment();
    await intents.confirm(intentId, sandboxCard());
    await expect(confirm(amelia)).rejects.toMatchObject({ code: 'already_paid' });
    expect(await rowOf(paymentId)).toMatchObject({ status: 'succeeded' });
    await expect(confirm(tom, ownCard)).rejects.toMatchObject({ code: 'already_paid' });
    expect(await confirmationsOf(paymentId)).toEqual([]);
  });

  test('confirming answers not_payable for a cancelled payment, and for a search that the firm has cancelled', async () => {
    const { confirm, dependencies, amelia, intentId } = await openPayment();
    await dependencies.provider.cancelIntent(intentId);
    await syncPaymentFromProvider(dependencies, intentId, { name: 'test' });
    await expect(confirm(amelia)).rejects.toMatchObject({ code: 'not_payable' });

    const other = await openPayment();
    await testDatabase.pool.query("update case_searches set status = 'cancelled' where id = $1", [
      other.caseSearchId,
    ]);
    await expect(other.confirm(other.amelia)).rejects.toMatchObject({ code: 'not_payable' });
  });

  test('confirming answers payment_under_review for an intent with different terms', async () => {
    const { confirm, amelia, intentId, alerts } = await openPayment();
    await testDatabase.pool.query('update sandbox_intents set amount = amount - 1 where id = $1', [intentId]);
    await expect(confirm(amelia)).rejects.toMatchObject({ code: 'payment_under_review' });
    expect(alerts).toHaveLength(1);
    await expect(confirm(amelia)).rejects.toMatchObject({ code: 'payment_under_review' });
    expect(alerts).toHaveLength(1);
  });

  test('fault 9: cancels a payment after a price change, and records no confirmation of it', async () => {
    const { confirm, changePrice, amelia, dependencies, intentId, paymentId } = await openPayment();
    await changePrice(9_900);
    await expect(confirm(amelia, { ...ownCard, price: 9_900 })).rejects.toMatchObject({
      code: 'price_changed',
    });
    expect((await dependencies.provider.retrieveIntent(intentId)).status).toBe('cancelled');
    expect(await confirmationsOf(paymentId)).toEqual([]);
    await expect(confirm(amelia)).rejects.toMatchObject({ code: 'not_payable' });
  });

  test('rejects a confirmation of an outdated price', async () => {
    const { confirm, amelia, amount, paymentId } = await openPayment();
    await expect(confirm(amelia, { price: amount - 1 })).rejects.toMatchObject({ code: 'price_changed' });
    expect(await confirmationsOf(paymentId)).toEqual([]);
  });

  test('fault 6: says only that the payment is being checked while the provider does not answer', async () => {
    const { confirm, amelia } = await openPayment();
    const cut = createPaymentWorld(testDatabase, { provider: () => ({ retrieveIntent: unavailable }) });
    await expect(confirm(amelia, {}, cut)).rejects.toMatchObject({
      code: 'payment_being_checked',
    });
  });

  test('confirming a payment resets its expiry', async () => {
    const { confirm, amelia, paymentId } = await openPayment();
    await testDatabase.pool.query(
      "update payments set updated_at = now() - interval '1 hour' where id = $1",
      [paymentId],
    );
    await confirm(amelia);
    expect(Date.now() - (await rowOf(paymentId)).updated_at.getTime()).toBeLessThan(600_000);
  });

  test('confirming a payment that was started with a former provider ends it', async () => {
    const { confirm, amelia, dependencies, paymentId } = await openPayment();
    const changed = {
      ...dependencies,
      provider: { ...dependencies.provider, name: 'stripe' as const },
      providers: { active: [], former: [dependencies.provider] },
    };
    await expect(confirm(amelia, {}, { dependencies: changed })).rejects.toMatchObject({
      code: 'not_payable',
    });
    expect(await rowOf(paymentId)).toMatchObject({ status: 'cancelled' });
  });

  test('rejects a throttled client who confirms a payment', async () => {
    const clock = createTestClock();
    const attempts = createPaymentAttempts({
      limits: { starts: { client: 10, address: 30 }, declines: { client: 1, address: 20 } },
      clock,
      alertOperator: () => {},
    });
    const world = createPaymentWorld(testDatabase, { clock, dependencies: { attempts } });
    const { confirm, amelia, intents, intentId, dependencies } = await openPayment(world);
    await intents.confirm(intentId, sandboxCard('4000000000000002'));
    await syncPaymentFromProvider(dependencies, intentId, { name: 'test' });
    await expect(confirm(amelia)).rejects.toMatchObject({
      code: 'too_many_payment_attempts',
      retryAfter: expect.any(Number),
    });
  });
});

describe('confirming a payment for something else', () => {
  async function openOtherPayment(amount: number) {
    const world = createPaymentWorld(testDatabase);
    const dependencies = { ...world.dependencies, limits };
    const built = await buildCase(testDatabase.database);
    const { payment_id } = await startOtherPayment(dependencies, {
      clientId: built.clientId,
      body: { category: 'money_on_account', amount, own_card: true },
      idempotencyKey: undefined,
    });
    const confirm = (change: Partial<typeof limits.card> = {}) =>
      confirmPayment(
        { ...dependencies, limits: limitsOf({ ...limits.card, ...change }) },
        {
          clientId: built.clientId,
          paymentId: payment_id,
          confirmed: { own_card: true },
          address: undefined,
        },
      );
    return { ...built, paymentId: payment_id, confirm };
  }

  test('returns the intent of a payment for something else that was confirmed when it started', async () => {
    const { confirm, paymentId } = await openOtherPayment(25_000);
    expect(await confirm()).toMatchObject({ payment_id: paymentId, amount: 25_000 });
    expect(await rowOf(paymentId)).toMatchObject({ own_card: true });
  });

  test('does not confirm a payment for something else whose amount is no longer within the limits', async () => {
    const { confirm } = await openOtherPayment(25_000);
    await expect(confirm({ max: 20_000 })).rejects.toMatchObject({
      code: 'invalid_input',
      errors: { amount: [expect.stringContaining('£200.00')] },
    });
  });

  test('does not confirm client money for a case that has been completed', async () => {
    const { confirm, id } = await openOtherPayment(25_000);
    await testDatabase.pool.query("update conveyancing_cases set status = 'completed' where id = $1", [id]);
    await expect(confirm()).rejects.toMatchObject({ code: 'not_payable' });
  });
});
