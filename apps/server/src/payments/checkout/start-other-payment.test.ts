import { randomUUID } from 'node:crypto';
import { type OtherPaymentBody, otherPaymentCategories } from '@keyturn/contract';
import {
  buildBill,
  buildCase,
  buildPayment,
  createPaymentWorld,
  createTestClock,
  intentOf,
  limitsOf,
  sandboxCard,
  withTestDatabase,
} from '@keyturn/testkit';
import { describe, expect, test } from 'vitest';
import { syncPaymentFromProvider } from '../intents/sync-payment.ts';
import type { ReceiptContent } from '../ports/printers.ts';
import { readReceipt } from '../receipts/read-receipt.ts';
import { expirePayments } from './expire-payments.ts';
import { startOtherPayment } from './start-other-payment.ts';

const testDatabase = withTestDatabase();

const limits = limitsOf({ min: 100, max: 500_000, dailyMax: 1_000_000 });

function world(at?: string) {
  const clock = createTestClock(at);
  const made = createPaymentWorld(testDatabase, { clock });
  return { ...made, clock, dependencies: { ...made.dependencies, limits } };
}
const body = (change: Partial<OtherPaymentBody> = {}): OtherPaymentBody => ({
  category: 'money_on_account',
  amount: 25_000,
  own_card: true,
  ...change,
});
const by = (clientId: string, change: Partial<OtherPaymentBody> = {}, idempotencyKey?: string) => ({
  clientId,
  body: body(change),
  idempotencyKey,
});
const paymentOf = async (id: string) =>
  (await testDatabase.pool.query('select * from payments where id = $1', [id])).rows[0];
const countOf = async (caseId: string) =>
  (await testDatabase.pool.query('select count(*)::int as n from payments where case_id = $1', [caseId]))
    .rows[0].n;

/** Reads the content of a receipt, without making a PDF of it. */
async function receiptOf(
  dependencies: ReturnType<typeof world>['dependencies'],
  payment: { clientId: string; paymentId: string },
): Promise<ReceiptContent | undefined> {
  let printed: ReceiptContent | undefined;
  const get = async (_paymentId: string, receipt: ReceiptContent) => {
    printed = receipt;
    return Buffer.from('');
  };
  await testDatabase.pool.query('update installation set firm = $1', [{ name: 'Firm' }]);
  await readReceipt({ ...dependencies, receipts: { get } }, payment);
  return printed;
}

describe('a payment for something else', () => {
  test.each(otherPaymentCategories.filter((category) => category !== 'legal_fees'))(
    'stores the purpose of a payment for something else, without VAT and as client money: %s',
    async (category) => {
      const { dependencies } = world();
      const { clientId, matterId, id } = await buildCase(testDatabase.database);
      const intent = await startOtherPayment(
        dependencies,
        by(clientId, { category, reference: 'Invoice 7' }),
      );
      expect(intent).toMatchObject({ amount: 25_000, currency: 'gbp', status: 'requires_payment_method' });
      const payment = await paymentOf(intent.payment_id);
      const text = category === 'other' ? 'Other payment' : category.replaceAll('_', ' ');
      expect(payment).toMatchObject({
        kind: 'other',
        case_id: id,
        matter_id: matterId,
        case_search_id: null,
        reference: 'Invoice 7',
        own_card: true,
        confirmed_by: clientId,
      });
      expect(payment.description.toLowerCase()).toBe(text.toLowerCase());
      expect(payment.lines).toEqual([
        {
          text: payment.description,
          net: 25_000,
          vat_rate: 0,
          vat: 0,
          gross: 25_000,
          client_money: true,
        },
      ]);
    },
  );

  test('pays a payment for something else with a receipt and a history entry', async () => {
    const { dependencies, intents, alerts } = world();
    const { clientId, id } = await buildCase(testDatabase.database, { clients: [{ firstName: 'Amelia' }] });
    const intent = await startOtherPayment(dependencies, by(clientId));
    await intents.confirm(intentOf(intent.client_secret), sandboxCard());
    await syncPaymentFromProvider(dependencies, intentOf(intent.client_secret), { name: 'test' });
    expect(await paymentOf(intent.payment_id)).toMatchObject({
      status: 'succeeded',
      receipt_number: expect.stringMatching(/^R-\d{4}-\d{6}$/),
    });
    const { rows } = await testDatabase.pool.query(
      "select actor, summary from history_entries where case_id = $1 and category = 'payment'",
      [id],
    );
    expect(rows).toEqual([{ actor: 'Amelia Ashdown', summary: 'Amelia paid £250.00 on account' }]);
    expect(alerts).toEqual([]);
  });
});

describe('repeating a request for a payment for something else', () => {
  test('20 concurrent requests with the same key and content get one payment and one intent', async () => {
    const { dependencies } = world();
    const { clientId, id } = await buildCase(testDatabase.database);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => startOtherPayment(dependencies, by(clientId, {}, 'k-1'))),
    );
    expect(new Set(answers.map(({ client_secret }) => client_secret)).size).toBe(1);
    expect(await countOf(id)).toBe(1);
  });

  test('rejects a payment for something else with the same key and different content', async () => {
    const { dependencies } = world();
    const { clientId } = await buildCase(testDatabase.database);
    await startOtherPayment(dependencies, by(clientId, {}, 'k-1'));
    for (const change of [{ amount: 25_001 }, { category: 'other' as const }, { reference: 'x' }]) {
      await expect(startOtherPayment(dependencies, by(clientId, change, 'k-1'))).rejects.toMatchObject({
        code: 'idempotency_key_reused',
      });
    }
  });

  test('continues a payment on its own case after the client has switched to another case', async () => {
    const { dependencies } = world();
    const { clientId, id, matterId } = await buildCase(testDatabase.database);
    const started = await startOtherPayment(dependencies, by(clientId, { matter_id: matterId }, 'named'));
    const whole = await startOtherPayment(dependencies, by(clientId, {}, 'whole'));
    // A completed case accepts no client money; payments of the other case are not affected.
    const other = await buildCase(testDatabase.database, {
      clients: [{ id: clientId }],
      status: 'completed',
    });
    await testDatabase.pool.query('update clients set active_case_id = $1 where id = $2', [
      other.id,
      clientId,
    ]);
    expect(await startOtherPayment(dependencies, by(clientId, { matter_id: matterId }, 'named'))).toEqual(
      started,
    );
    expect(await startOtherPayment(dependencies, by(clientId, {}, 'whole'))).toEqual(whole);
    await expect(
      startOtherPayment(dependencies, by(clientId, { amount: 1_000 }, 'whole')),
    ).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    expect([await countOf(id), await countOf(other.id)]).toEqual([2, 0]);
    // A new payment belongs to the client's active case.
    const bill = await buildBill(testDatabase.database, { caseId: other.id });
    const payment = { category: 'legal_fees', bill_id: bill.id } as const;
    await startOtherPayment(dependencies, by(clientId, payment, 'new'));
    expect([await countOf(id), await countOf(other.id)]).toEqual([2, 1]);
  });

  test('continues no payment of a case that the client is no longer on', async () => {
    const { dependencies } = world();
    const { clientId, id } = await buildCase(testDatabase.database, { clients: [{}, {}] });
    await startOtherPayment(dependencies, by(clientId, {}, 'k-1'));
    await buildCase(testDatabase.database, { clients: [{ id: clientId }] });
    await testDatabase.pool.query('delete from case_clients where case_id = $1 and client_id = $2', [
      id,
      clientId,
    ]);
    await expect(startOtherPayment(dependencies, by(clientId, {}, 'k-1'))).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('starts a further other payment without a key or with another key', async () => {
    const { dependencies } = world();
    const { clientId, id } = await buildCase(testDatabase.database);
    for (const key of [undefined, undefined, 'k-1', 'k-2']) {
      await startOtherPayment(dependencies, by(clientId, {}, key));
    }
    expect(await countOf(id)).toBe(4);
  });

  test('rejects an idempotency key whose payment for something else was paid or cancelled', async () => {
    const { dependencies, intents } = world();
    const { clientId, id } = await buildCase(testDatabase.database);
    const made = await startOtherPayment(dependencies, by(clientId, {}, 'made'));
    await intents.confirm(intentOf(made.client_secret), sandboxCard());
    const cancelled = await startOtherPayment(dependencies, by(clientId, {}, 'cancelled'));
    await testDatabase.pool.query("update payments set status = 'cancelled' where id = $1", [
      cancelled.payment_id,
    ]);
    await expect(startOtherPayment(dependencies, by(clientId, {}, 'made'))).rejects.toMatchObject({
      code: 'already_paid',
    });
    await expect(startOtherPayment(dependencies, by(clientId, {}, 'cancelled'))).rejects.toMatchObject({
      code: 'not_payable',
    });
    expect(await countOf(id)).toBe(2);
  });
});

describe('the matter of a payment for something else', () => {
  test('a payment for something else uses the matter that the client names, or the only matter of the case', async () => {
    const { dependencies } = world();
    const several = await buildCase(testDatabase.database, { matters: [{}, {}] });
    const second = several.matters[1]?.id ?? '';
    const named = await startOtherPayment(dependencies, by(several.clientId, { matter_id: second }));
    expect((await paymentOf(named.payment_id)).matter_id).toBe(second);
    const one = await buildCase(testDatabase.database);
    const unnamed = await startOtherPayment(dependencies, by(one.clientId));
    expect((await paymentOf(unnamed.payment_id)).matter_id).toBe(one.matterId);
  });

  test('a payment for something else for a whole case with several matters uses none, and its receipt names no property', async () => {
    const { dependencies, intents } = world();
    const { clientId } = await buildCase(testDatabase.database, { matters: [{}, {}] });
    const { payment_id, client_secret } = await startOtherPayment(dependencies, by(clientId));
    expect((await paymentOf(payment_id)).matter_id).toBeNull();
    await intents.confirm(intentOf(client_secret), sandboxCard());
    await syncPaymentFromProvider(dependencies, intentOf(client_secret), { name: 'test' });
    const receipt = await receiptOf(dependencies, { clientId, paymentId: payment_id });
    expect(receipt).toMatchObject({ amount: 25_000, property: null });
  });

  test('starts no other payment for a matter of another client or case, or an unknown one', async () => {
    const { dependencies } = world();
    const { clientId, id } = await buildCase(testDatabase.database);
    const stranger = await buildCase(testDatabase.database);
    const older = await buildCase(testDatabase.database, {
      clients: [{ id: clientId }],
      status: 'completed',
    });
    for (const matter_id of [stranger.matterId, older.matterId, clientId, 'no id', '']) {
      await expect(startOtherPayment(dependencies, by(clientId, { matter_id }))).rejects.toMatchObject({
        code: 'not_found',
      });
    }
    expect(await countOf(id)).toBe(0);
  });

  test('starts no other payment for a client without a case', async () => {
    const { dependencies } = world();
    const { clientId, id } = await buildCase(testDatabase.database);
    await testDatabase.pool.query('delete from case_clients where case_id = $1', [id]);
    await expect(startOtherPayment(dependencies, by(clientId))).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a closed case', () => {
  test.each(['completed', 'abandoned'] as const)(
    'accepts payments of the firm’s bills, and no client money, on a case that is %s',
    async (status) => {
      const { dependencies } = world();
      const { clientId, id: caseId } = await buildCase(testDatabase.database, { status });
      const { id: bill_id } = await buildBill(testDatabase.database, { caseId });
      await expect(startOtherPayment(dependencies, by(clientId))).rejects.toMatchObject({
        code: 'not_payable',
      });
      await expect(
        startOtherPayment(dependencies, by(clientId, { category: 'legal_fees', bill_id })),
      ).resolves.toBeDefined();
    },
  );
});

describe('the limits of other payments', () => {
  test.each([
    [99, 'The least that can be paid here is £1.00.'],
    [500_001, 'The most that can be paid here at once is £5,000.00. Please call us about a bank transfer.'],
  ])(
    'names the limit when a payment for something else is too small or too large (%d)',
    async (amount, words) => {
      const { dependencies } = world();
      const { clientId } = await buildCase(testDatabase.database);
      await expect(startOtherPayment(dependencies, by(clientId, { amount }))).rejects.toMatchObject({
        code: 'invalid_input',
        errors: { amount: [words] },
      });
    },
  );

  test.each([100, 500_000])(
    'accepts a payment for something else of exactly the limit (%d)',
    async (amount) => {
      const { dependencies } = world();
      const { clientId } = await buildCase(testDatabase.database);
      await expect(startOtherPayment(dependencies, by(clientId, { amount }))).resolves.toMatchObject({
        amount,
      });
    },
  );

  test('enforces the daily limit to the penny for concurrent payments of joint clients', async () => {
    const { dependencies } = world();
    const { clientIds, id } = await buildCase(testDatabase.database, { clients: [{}, {}] });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        startOtherPayment(dependencies, by(clientIds[index % 2] ?? '', { amount: 200_000 })),
      ),
    );
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(15);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'limit_reached' });
    expect(await countOf(id)).toBe(5);
  });

  test('counts open and paid payments towards the daily limit, but no cancelled ones and no searches', async () => {
    const { dependencies } = world();
    const { clientId, id: caseId, matterId, caseSearchId } = await buildCase(testDatabase.database);
    const other = { caseId, clientId, matterId, amount: 400_000 };
    await buildPayment(testDatabase.database, { ...other, status: 'cancelled' });
    await buildPayment(testDatabase.database, { ...other, caseSearchId, status: 'succeeded' });
    await buildPayment(testDatabase.database, { ...other, status: 'succeeded' });
    await buildPayment(testDatabase.database, other);
    await expect(startOtherPayment(dependencies, by(clientId, { amount: 200_001 }))).rejects.toMatchObject({
      code: 'limit_reached',
    });
    await expect(startOtherPayment(dependencies, by(clientId, { amount: 200_000 }))).resolves.toBeDefined();
  });

  test('lets a client continue a payment that the daily limit already counts', async () => {
    const { dependencies } = world();
    const { clientId } = await buildCase(testDatabase.database);
    const first = await startOtherPayment(dependencies, by(clientId, { amount: 500_000 }, 'k-1'));
    await startOtherPayment(dependencies, by(clientId, { amount: 500_000 }, 'k-2'));
    await expect(
      startOtherPayment(dependencies, by(clientId, { amount: 500_000 }, 'k-1')),
    ).resolves.toMatchObject({ payment_id: first.payment_id });
  });

  // 2026: clocks go forward on 29 March and back on 25 October; the day in London starts at 23:00 or at 00:00 UTC.
  test.each([
    ['in winter', '2026-01-14T23:59:59Z', '2026-01-15T00:00:00Z'],
    ['in summer', '2026-06-14T22:59:59Z', '2026-06-14T23:00:00Z'],
    ['the 23 hours of March', '2026-03-29T22:59:59Z', '2026-03-29T23:00:00Z'],
    ['the 25 hours of October', '2026-10-25T23:59:59Z', '2026-10-26T00:00:00Z'],
    ['on 29 February', '2028-02-28T23:59:59Z', '2028-02-29T00:00:00Z'],
    ['after 29 February', '2028-02-29T23:59:59Z', '2028-03-01T00:00:00Z'],
    ['at the turn of the year', '2026-12-31T23:59:59Z', '2027-01-01T00:00:00Z'],
  ])('fault 50: resets the daily limit at midnight in London, %s', async (_when, before, after) => {
    const { dependencies, clock, intents } = world(before);
    const { clientId } = await buildCase(testDatabase.database);
    const most = by(clientId, { amount: 500_000 });
    for (const { client_secret } of [
      await startOtherPayment(dependencies, most),
      await startOtherPayment(dependencies, most),
    ]) {
      await intents.confirm(intentOf(client_secret), sandboxCard());
      await syncPaymentFromProvider(dependencies, intentOf(client_secret), { name: 'test' });
    }
    await expect(startOtherPayment(dependencies, most)).rejects.toMatchObject({ code: 'limit_reached' });
    clock.set(after);
    await startOtherPayment(dependencies, most);
    await startOtherPayment(dependencies, most);
    clock.advance(12 * 3_600_000);
    await expect(startOtherPayment(dependencies, most)).rejects.toMatchObject({ code: 'limit_reached' });
  });

  test.each([
    ['28 February', '2028-02-28T23:59:50Z', '2028-02-29T00:00:10Z', '2028-02-29'],
    ['29 February', '2028-02-29T23:59:50Z', '2028-03-01T00:00:10Z', '2028-03-01'],
    ['31 December', '2026-12-31T23:59:50Z', '2027-01-01T00:00:10Z', '2027-01-01'],
    ['30 June', '2026-06-30T22:59:50Z', '2026-06-30T23:00:10Z', '2026-07-01'],
  ])(
    'fault 50: a payment that is started on %s and paid after midnight in London has the later day on its receipt',
    async (_day, before, after, day) => {
      const { dependencies, clock, intents } = world(before);
      const { clientId } = await buildCase(testDatabase.database);
      const { payment_id: paymentId, client_secret: secret } = await startOtherPayment(
        dependencies,
        by(clientId),
      );
      clock.set(after);
      await intents.confirm(intentOf(secret), sandboxCard());
      await syncPaymentFromProvider(dependencies, intentOf(secret), { name: 'test' });
      const { receipt_number: number, paid_at: paidAt } = await paymentOf(paymentId);
      expect({ paidAt, year: number.slice(0, 7) }).toEqual({
        paidAt: new Date(after),
        year: `R-${day.slice(0, 4)}-`,
      });
    },
  );

  test.each([
    ['00:30 in summer', '2026-06-14T23:30:00Z', '2026-06-15T11:00:00Z'],
    ['23:30 in summer', '2026-06-15T22:30:00Z', '2026-06-15T22:59:59Z'],
    ['00:30 in winter', '2026-01-15T00:30:00Z', '2026-01-15T12:00:00Z'],
    ['23:30 in winter', '2026-01-15T23:30:00Z', '2026-01-15T23:59:59Z'],
  ])('counts a payment made at %s towards the limit of that day in London', async (_time, paidAt, later) => {
    const { dependencies, clock, intents } = world(paidAt);
    const { clientId } = await buildCase(testDatabase.database);
    const most = by(clientId, { amount: 500_000 });
    for (const _payment of [1, 2]) {
      const { client_secret } = await startOtherPayment(dependencies, most);
      await intents.confirm(intentOf(client_secret), sandboxCard());
      await syncPaymentFromProvider(dependencies, intentOf(client_secret), { name: 'test' });
    }
    clock.set(later);
    await expect(startOtherPayment(dependencies, by(clientId, { amount: 100 }))).rejects.toMatchObject({
      code: 'limit_reached',
    });
  });

  test('counts open payments of earlier days towards the daily limit', async () => {
    const { dependencies, clock, intents } = world('2026-06-14T12:00:00Z');
    const { clientId, id } = await buildCase(testDatabase.database);
    const started: string[] = [];
    for (const day of ['2026-06-14', '2026-06-15', '2026-06-16']) {
      clock.set(`${day}T12:00:00Z`);
      for (let tries = 0; tries < 2; tries += 1) {
        await startOtherPayment(dependencies, by(clientId, { amount: 500_000 })).then(
          ({ client_secret }) => started.push(intentOf(client_secret)),
          (error) => expect(error).toMatchObject({ code: 'limit_reached' }),
        );
      }
    }
    for (const intentId of started) {
      await intents.confirm(intentId, sandboxCard());
      await syncPaymentFromProvider(dependencies, intentId, { name: 'test' });
    }
    const { rows } = await testDatabase.pool.query(
      "select sum(amount)::int as paid from payments where case_id = $1 and status = 'succeeded'",
      [id],
    );
    expect(rows).toEqual([{ paid: 1_000_000 }]);
  });

  test('frees the daily limit when an open payment expires', async () => {
    const { dependencies, clock } = world();
    const { clientId } = await buildCase(testDatabase.database);
    const most = by(clientId, { amount: 500_000 });
    await startOtherPayment(dependencies, most);
    await startOtherPayment(dependencies, most);
    await expect(startOtherPayment(dependencies, most)).rejects.toMatchObject({ code: 'limit_reached' });
    clock.advance(91 * 60_000);
    await expirePayments(dependencies);
    await expect(startOtherPayment(dependencies, most)).resolves.toBeDefined();
  });

  test('counts a payment of yesterday that is paid today or is still being processed', async () => {
    const { dependencies, clock, intents } = world('2026-06-14T12:00:00Z');
    const { clientId } = await buildCase(testDatabase.database);
    const most = by(clientId, { amount: 500_000 });
    const secrets = [
      await startOtherPayment(dependencies, most),
      await startOtherPayment(dependencies, most),
    ];
    clock.set('2026-06-15T12:00:00Z');
    for (const [index, { client_secret }] of secrets.entries()) {
      await intents.confirm(
        intentOf(client_secret),
        sandboxCard(index === 0 ? '4242424242424242' : '4000000000003220'),
      );
      await syncPaymentFromProvider(dependencies, intentOf(client_secret), { name: 'test' });
    }
    await expect(startOtherPayment(dependencies, by(clientId, { amount: 100 }))).rejects.toMatchObject({
      code: 'limit_reached',
    });
  });

  test('cancels a payment for something else at its former provider, and its key starts no new one', async () => {
    const { dependencies } = world();
    const { clientId } = await buildCase(testDatabase.database);
    const key = randomUUID();
    const started = await startOtherPayment(dependencies, by(clientId, {}, key));
    const changed = {
      ...dependencies,
      provider: { ...dependencies.provider, name: 'stripe' as const },
      providers: { active: [], former: [dependencies.provider] },
    };
    for (const _time of [1, 2]) {
      await expect(startOtherPayment(changed, by(clientId, {}, key))).rejects.toMatchObject({
        code: 'not_payable',
      });
    }
    expect(await paymentOf(started.payment_id)).toMatchObject({ status: 'cancelled' });
  });
});
