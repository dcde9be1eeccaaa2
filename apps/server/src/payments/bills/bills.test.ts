import { randomUUID } from 'node:crypto';
import {
  buildBill,
  buildCase,
  createPaymentWorld,
  intentOf,
  limitsOf,
  sandboxCard,
  withTestDatabase,
} from '@keyturn/testkit';
import { describe, expect, test } from 'vitest';
import { cancelPayment } from '../checkout/cancel-payment.ts';
import { confirmPayment } from '../checkout/confirm-payment.ts';
import { retrievePaymentIntent } from '../checkout/retrieve-payment-intent.ts';
import { startOtherPayment } from '../checkout/start-other-payment.ts';
import { syncPaymentFromProvider } from '../intents/sync-payment.ts';
import { chooseProvider } from '../provider/find-provider.ts';
import { readPayment } from '../records/read-payment.ts';
import { createBillsRead } from './list-bills.ts';

const testDatabase = withTestDatabase();

/** A case with two clients and a bill of £276.00. */
async function createWorld(change: Partial<Parameters<typeof buildBill>[1]> = {}) {
  const { dependencies, intents, alerts } = createPaymentWorld(testDatabase);
  const { id: caseId, clientIds, matterId } = await buildCase(testDatabase.database, { clients: [{}, {}] });
  const bill = await buildBill(testDatabase.database, { caseId, ...change });
  const [clientId = '', jointClientId = ''] = clientIds;
  const all = { ...dependencies, limits: limitsOf({ min: 100, max: 500_000, dailyMax: 1_000_000 }) };
  const start = (amount: number, { by = clientId, bill_id = bill.id, key = String(randomUUID()) } = {}) =>
    startOtherPayment(all, {
      clientId: by,
      body: { category: 'legal_fees', bill_id, amount, own_card: true },
      idempotencyKey: key,
    });
  const confirmCard = async ({ client_secret }: { client_secret: string | null }) => {
    await intents.confirm(intentOf(client_secret), sandboxCard());
    await syncPaymentFromProvider(all, intentOf(client_secret), { name: 'test' });
  };
  const pay = async (amount: number) => {
    const started = await start(amount);
    await confirmCard(started);
    return started.payment_id;
  };
  const list = () => createBillsRead(all)().forClient(all.database, clientId);
  return {
    dependencies: all,
    alerts,
    caseId,
    clientId,
    jointClientId,
    matterId,
    bill,
    start,
    confirmCard,
    pay,
    list,
  };
}

describe('paying a bill', () => {
  test('the payment of a bill records the bill, its net and VAT, and the firm’s own money', async () => {
    const { dependencies, clientId, bill, pay, list } = await createWorld();
    const paymentId = await pay(27_600);
    const payment = await readPayment(paymentId).forClient(dependencies.database, clientId);
    expect(payment).toMatchObject({
      bill: { id: bill.id, number: bill.number },
      description: `Bill ${bill.number}`,
      lines: [{ net: 23_000, vat: 4_600, vat_rate: 20, gross: 27_600, client_money: false }],
    });
    expect(await list()).toMatchObject([{ number: bill.number, gross: 27_600, paid: 27_600, payable: 0 }]);
  });

  test('a part of a bill contains its share of the VAT, and leaves the rest to pay', async () => {
    const { dependencies, clientId, pay, list } = await createWorld();
    const paymentId = await pay(10_001);
    const [line] = (await readPayment(paymentId).forClient(dependencies.database, clientId)).lines;
    expect(line).toMatchObject({ net: 8_334, vat: 1_667, gross: 10_001 });
    expect(await list()).toMatchObject([{ paid: 10_001, payable: 17_599 }]);
  });

  test('a bill of £150.00 that is paid in three parts has the VAT of the bill to the penny, and each part what was left', async () => {
    const { dependencies, clientId, pay, list } = await createWorld({ net: 12_500, vat: 2_500 });
    const parts = [];
    for (let part = 0; part < 3; part += 1) parts.push(await pay(5_000));
    const read = (id: string) => readPayment(id).forClient(dependencies.database, clientId);
    const payments = await Promise.all(parts.map(read));
    // Later parts do not change what was left at the time.
    expect(payments.map(({ bill }) => bill?.left)).toEqual([10_000, 5_000, 0]);
    const lines = payments.map(({ lines: [line] }) => line);
    expect(lines.reduce((sum, line) => sum + (line?.vat ?? 0), 0)).toBe(2_500);
    expect(lines.reduce((sum, line) => sum + (line?.net ?? 0), 0)).toBe(12_500);
    expect(await list()).toMatchObject([{ paid: 15_000, left: 0 }]);
  });

  const mixed = {
    net: 130_000,
    vat: 20_000,
    lines: [
      ...[{ description: 'Our fee', net: 100_000, vat: 20_000, vat_rate: 20 }].map((line) => ({
        ...line,
        vat_code: 'standard' as const,
        money: 'office' as const,
      })),
      {
        description: 'HM Land Registry fee',
        net: 30_000,
        vat: 0,
        vat_rate: 0,
        vat_code: 'outside_scope' as const,
        money: 'client' as const,
      },
    ],
  };

  test('parts of a bill with client money pay that first, and together each line to the penny', async () => {
    const { dependencies, clientId, pay, list } = await createWorld(mixed);
    const read = async (id: string) =>
      (await readPayment(id).forClient(dependencies.database, clientId)).lines;
    const line = { text: expect.stringContaining('HM Land Registry fee'), client_money: true };
    expect(await read(await pay(20_000))).toMatchObject([{ ...line, gross: 20_000 }]);
    expect(await read(await pay(20_000))).toMatchObject([
      { net: 8_333, vat: 1_667, client_money: false },
      { ...line, gross: 10_000 },
    ]);
    expect(await read(await pay(110_000))).toMatchObject([{ net: 91_667, vat: 18_333, client_money: false }]);
    expect(await list()).toMatchObject([{ left: 0, lines: mixed.lines, document_id: null }]);
  });

  test('a bill says whether its next payment contains client money', async () => {
    const { pay, list } = await createWorld(mixed);
    const next = async () => (await list())[0]?.pays_client_money;
    expect(await next()).toBe(true);
    await pay(20_000);
    expect(await next()).toBe(true);
    await pay(10_000);
    expect(await next()).toBe(false);
  });

  test('a payment with client money goes to the client account, and one without to the business account', async () => {
    const { dependencies, start } = await createWorld(mixed);
    const business = {
      ...dependencies.provider,
      name: 'stripe_business' as const,
      knownAccountId: () => 'acct_business',
    };
    const choice = {
      ...dependencies,
      providers: { active: [dependencies.provider, business], former: [] },
      purposes: {
        ...dependencies.purposes,
        card: { ...dependencies.purposes.card, legal_fees: 'business' as const },
      },
    };
    const chosen = (client_money: boolean) =>
      chooseProvider(choice, 'legal_fees', 'card', [{ client_money }])?.name;
    expect([chosen(true), chosen(false)]).toEqual([dependencies.provider.name, 'stripe_business']);
    await expect(start(150_000)).resolves.toMatchObject({ amount: 150_000 });
  });

  test('rejects a part of a bill that leaves less than the minimum of a payment', async () => {
    const { start } = await createWorld();
    await expect(start(27_501)).rejects.toMatchObject({
      code: 'invalid_input',
      errors: {
        amount: [expect.stringMatching(/^Pay all that is left of this bill, or leave at least £1\.00/)],
      },
    });
    await expect(start(27_500)).resolves.toMatchObject({ amount: 27_500 });
  });

  test('rejects a payment above the rest of the bill, and names the rest', async () => {
    const { start } = await createWorld({ paidOtherwise: 20_000 });
    await expect(start(7_601)).rejects.toMatchObject({
      code: 'invalid_input',
      errors: { amount: ['Only £76.00 of this bill is left to pay.'] },
    });
    await expect(start(7_600)).resolves.toMatchObject({ amount: 7_600 });
  });

  test('rejects a second payment of a bill while the joint client’s is open, and accepts it once that is cancelled', async () => {
    const { dependencies, clientId, jointClientId, start } = await createWorld();
    const { payment_id } = await start(27_600);
    await expect(start(27_600, { by: jointClientId })).rejects.toMatchObject({
      code: 'invalid_input',
      errors: { bill_id: [expect.stringContaining('already been started')] },
    });
    await cancelPayment(dependencies, { clientId, paymentId: payment_id });
    await expect(start(27_600, { by: jointClientId })).resolves.toMatchObject({ amount: 27_600 });
  });

  test('two clients who pay a bill at the same moment start one payment', async () => {
    const { jointClientId, start } = await createWorld();
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 5 }, () => start(27_600)),
      ...Array.from({ length: 5 }, () => start(27_600, { by: jointClientId })),
    ]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test.each([
    ['cancelled', { status: 'cancelled' }],
    ['paid by bank transfer', { paid_otherwise: 27_600 }],
  ])('a bill that is %s while a client pays can no longer be paid', async (_case, change) => {
    const { dependencies, clientId, bill, start } = await createWorld();
    const { payment_id: paymentId } = await start(27_600, { key: 'open' });
    const [[column, value] = []] = Object.entries(change);
    await testDatabase.pool.query(`update bills set ${column} = $2 where id = $1`, [bill.id, value]);
    const request = { clientId, paymentId, address: undefined };
    await expect(start(27_600, { key: 'open' })).rejects.toMatchObject({ code: 'not_payable' });
    await expect(retrievePaymentIntent(dependencies, request)).rejects.toMatchObject({ code: 'not_payable' });
    await expect(confirmPayment(dependencies, { ...request, confirmed: {} })).rejects.toMatchObject({
      code: 'not_payable',
    });
  });

  test('alerts the operator if a card pays a bill before its cancellation reaches the provider', async () => {
    const { dependencies, alerts, clientId, bill, start, confirmCard } = await createWorld();
    const started = await start(27_600);
    await testDatabase.pool.query("update bills set status = 'cancelled' where id = $1", [bill.id]);
    await confirmCard(started);
    expect(alerts).toEqual([expect.stringContaining('a bill was paid that is cancelled or paid already')]);
    const paid = await readPayment(started.payment_id).forClient(dependencies.database, clientId);
    expect(paid.status).toBe('succeeded');
  });

  test('the same idempotency key continues the payment of a bill', async () => {
    const { start } = await createWorld();
    const first = await start(27_600, { key: 'same' });
    expect(await start(27_600, { key: 'same' })).toEqual(first);
  });

  test('rejects a bill that is paid, cancelled, or of another case', async () => {
    const paid = await createWorld({ paidOtherwise: 27_600 });
    await expect(paid.start(100)).rejects.toMatchObject({ code: 'already_paid' });
    const cancelled = await createWorld({ status: 'cancelled' });
    await expect(cancelled.start(100)).rejects.toMatchObject({
      errors: { bill_id: ['We have cancelled this bill.'] },
    });
    expect(await cancelled.list()).toEqual([]);
    await expect(paid.start(100, { bill_id: cancelled.bill.id })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('a payment of legal fees needs a bill, and no other payment can have one', async () => {
    const { dependencies, clientId, bill } = await createWorld();
    const start = (body: object) =>
      startOtherPayment(dependencies, {
        clientId,
        body: { category: 'legal_fees', amount: 100, own_card: true, ...body },
        idempotencyKey: undefined,
      });
    await expect(start({})).rejects.toMatchObject({
      errors: { bill_id: ['Choose the bill that you are paying.'] },
    });
    await expect(start({ category: 'other', bill_id: bill.id })).rejects.toMatchObject({
      errors: { bill_id: ['Only legal fees are paid for a bill.'] },
    });
  });

  test('a refund makes that part of the bill payable again', async () => {
    const { pay, list } = await createWorld();
    const paymentId = await pay(27_600);
    await testDatabase.pool.query(
      "update payments set status = 'partially_refunded', refunded_amount = 600 where id = $1",
      [paymentId],
    );
    expect(await list()).toMatchObject([{ paid: 27_000, payable: 600 }]);
  });
});
