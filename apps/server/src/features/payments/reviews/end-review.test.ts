import {
  buildCase,
  buildFirm,
  createPaymentWorld,
  intentOf,
  type PaymentWorld,
  parseCommand,
  sandboxCard,
  startTestPayment,
  withTestDatabase,
} from '@keyturn/testkit';
import { beforeAll, describe, expect, test } from 'vitest';
import { readConveyancingCase } from '../../conveyancing-case/read-conveyancing-case.ts';
import { readCaseSearch } from '../../searches/read-case-searches.ts';
import { cancelPayment } from '../checkout/cancel-payment.ts';
import { expirePayments } from '../checkout/expire-payments.ts';
import { startSearchPayment } from '../checkout/start-search-payment.ts';
import { syncPaymentFromProvider } from '../provider/sync-payment.ts';
import { checkPayments } from '../reconciliation/check-payments.ts';
import {
  type PaymentsCommand,
  paymentsCommand,
  runPaymentsCommand,
} from '../reconciliation/payments-command.ts';
import { listPayments } from '../records/list-payments.ts';
import { handleWebhookEvent } from '../webhooks/handle-webhook-event.ts';
import { endReview } from './end-review.ts';

const testDatabase = withTestDatabase();
beforeAll(async () => {
  await buildFirm(testDatabase.database);
});

const sql = async (text: string, ...values: unknown[]) => (await testDatabase.pool.query(text, values)).rows;

/** A payment whose intent differs from what we asked for, as `change` makes it, after the card was given. */
async function different(change: string) {
  const world = createPaymentWorld(testDatabase);
  const { clientId, caseSearchId, id } = await buildCase(testDatabase.database);
  const request = { clientId, caseSearchId, confirmed: {}, idempotencyKey: undefined };
  const { paymentId, intentId, amount } = await startTestPayment(world.dependencies, request);
  await sql(`update sandbox_intents set ${change} where id = $1`, intentId);
  await world.intents.confirm(intentId, sandboxCard());
  for (const event of await world.eventsOf(intentId)) await handleWebhookEvent(world.dependencies, event);
  const payment = async () => (await sql('select * from payments where id = $1', paymentId))[0];
  const end = (how: 'ask' | 'paid' | 'give-up') => endReview(world.dependencies, paymentId, how);
  const take = () => startSearchPayment(world.dependencies, request);
  return {
    world,
    clientId,
    caseSearchId,
    caseId: id,
    paymentId,
    intentId,
    amount,
    payment,
    end,
    take,
  };
}
const differences: [string, string][] = [
  ['amount', 'amount = amount - 1'],
  ['currency', "currency = 'usd'"],
  ['payment', `metadata = '{"payment_id": "another"}'`],
];

describe('fault 19: an intent of another', () => {
  test.each(differences)(
    '%s is not paid; a person is told, and the client is told not to pay again',
    async (_what, change) => {
      const { world, clientId, caseSearchId, paymentId, intentId, payment, take } = await different(change);
      expect(await payment()).toMatchObject({ status: 'requires_payment_method', paid_at: null });
      expect(world.alerts).toEqual(['a payment intent is not what we asked for']);
      await syncPaymentFromProvider(world.dependencies, intentId, { name: 'reconciliation' });
      expect(world.alerts).toHaveLength(1);

      expect(await listPayments(world.dependencies, clientId)).toMatchObject([
        { id: paymentId, under_review: true },
      ]);
      expect(await readCaseSearch(testDatabase.database, clientId, caseSearchId)).toMatchObject({
        status: 'awaiting_payment',
        payable: false,
        under_review: true,
      });
      const { active_case: _active, ...shown } = { active_case: null, ...(await readCase(clientId)) };
      expect(shown).toMatchObject({ amount_due: 0, amount_paid: 0 });
      await expect(take()).rejects.toMatchObject({
        code: 'payment_under_review',
        message: expect.stringContaining('don’t pay again'),
      });
      const cancelling = cancelPayment(world.dependencies, { clientId, paymentId });
      await expect(cancelling).rejects.toMatchObject({ code: 'payment_under_review' });
      expect(
        await sql('select 1 from sandbox_intents where metadata::text like $1', `%${paymentId}%`),
      ).toHaveLength(change.startsWith('metadata') ? 0 : 1);
      const record = await sql(
        'select review_reason, money from payment_changes where payment_id = $1 order by id desc limit 1',
        paymentId,
      );
      expect(record).toEqual([{ review_reason: expect.any(String), money: 0 }]);
    },
  );

  test('amount does not expire', async () => {
    const { world, payment, paymentId } = await different('amount = amount - 1');
    await sql(
      "update payments set updated_at = now() - interval '1 day', next_check_at = now() where id = $1",
      paymentId,
    );
    await expirePayments(world.dependencies);
    expect((await payment()).status).toBe('requires_payment_method');
  });

  test('payment, where money was taken for one that was given up, lets nobody begin another one', async () => {
    const world = createPaymentWorld(testDatabase);
    const { clientId, caseSearchId } = await buildCase(testDatabase.database);
    const request = { clientId, caseSearchId, confirmed: {}, idempotencyKey: undefined };
    const { client_secret, payment_id } = await startSearchPayment(world.dependencies, request);
    await world.intents.confirm(intentOf(client_secret), sandboxCard());
    await sql("update payments set status = 'cancelled' where id = $1", payment_id);
    await syncPaymentFromProvider(world.dependencies, intentOf(client_secret), { name: 'test' });
    await expect(startSearchPayment(world.dependencies, request)).rejects.toMatchObject({
      code: 'payment_under_review',
    });
    expect(await readCaseSearch(testDatabase.database, clientId, caseSearchId)).toMatchObject({
      payable: false,
      under_review: true,
      payment: null,
    });
    expect(await listPayments(world.dependencies, clientId)).toMatchObject([
      { id: payment_id, under_review: true },
    ]);
    await expect(endReview(world.dependencies, payment_id, 'paid')).rejects.toThrow(/give the money back/);
    await expect(endReview(world.dependencies, payment_id, 'give-up')).rejects.toThrow(/give all of it back/);
  });
});

describe('a person ends a review', () => {
  test('by asking again, once it was mended at the provider: the payment takes over what is there', async () => {
    const { world, end, payment, amount, intentId, caseSearchId, clientId } =
      await different('amount = amount - 1');
    await expect(end('ask')).rejects.toThrow(/still differs: the amount is/);
    expect((await payment()).review_reason).not.toBeNull();
    await sql('update sandbox_intents set amount = $2 where id = $1', intentId, amount);
    expect(await end('ask')).toMatchObject({ status: 'succeeded', reviewReason: null });
    expect(await readCaseSearch(testDatabase.database, clientId, caseSearchId)).toMatchObject({
      status: 'paid',
      under_review: false,
    });
    expect(world.alerts).toHaveLength(2);
  });

  test('by taking the money as this payment, where the right sum is there', async () => {
    const { end, payment, paymentId } = await different(`metadata = '{"payment_id": "another"}'`);
    const mails = () => sql('select kind, occasion from payment_mails where payment_id = $1', paymentId);
    expect(await mails()).toEqual([]);
    expect(await end('paid')).toMatchObject({ status: 'succeeded', reviewReason: null });
    expect((await payment()).receipt_number).toMatch(/^R-/);
    expect(await mails()).toEqual([{ kind: 'receipt', occasion: 1 }]);
  });

  test('but does not take another sum for it', async () => {
    const { end, payment } = await different('amount = amount - 1');
    await expect(end('paid')).rejects.toThrow(/were taken, not/);
    expect((await payment()).review_reason).not.toBeNull();
  });

  test('by giving it up where no money is kept, and the search can be paid anew', async () => {
    const world: PaymentWorld = createPaymentWorld(testDatabase);
    const { clientId, caseSearchId } = await buildCase(testDatabase.database);
    const request = { clientId, caseSearchId, confirmed: {}, idempotencyKey: undefined };
    const { client_secret, payment_id } = await startSearchPayment(world.dependencies, request);
    await sql('update sandbox_intents set amount = amount - 1 where id = $1', intentOf(client_secret));
    await syncPaymentFromProvider(world.dependencies, intentOf(client_secret), { name: 'test' });
    expect(await endReview(world.dependencies, payment_id, 'give-up')).toMatchObject({
      status: 'cancelled',
      reviewReason: null,
    });
    expect((await world.intents.confirm(intentOf(client_secret), sandboxCard())).status).toBe('canceled');
    expect((await startSearchPayment(world.dependencies, request)).payment_id).not.toBe(payment_id);
  });

  test.each(differences)(
    'by giving it up, and what the provider says of the end of an intent of another %s begins no other review',
    async (_what, change) => {
      const world = createPaymentWorld(testDatabase);
      const { clientId, caseSearchId } = await buildCase(testDatabase.database);
      const request = { clientId, caseSearchId, confirmed: {}, idempotencyKey: undefined };
      const { client_secret, payment_id } = await startSearchPayment(world.dependencies, request);
      const intentId = intentOf(client_secret);
      const lost = change.replace('{"payment_id": "another"}', '{}');
      await sql(`update sandbox_intents set ${lost} where id = $1`, intentId);
      await syncPaymentFromProvider(world.dependencies, intentId, { name: 'test' });
      await endReview(world.dependencies, payment_id, 'give-up');
      for (const event of await world.eventsOf(intentId)) await handleWebhookEvent(world.dependencies, event);
      expect(await sql('select status, review_reason from payments where id = $1', payment_id)).toEqual([
        { status: 'cancelled', review_reason: null },
      ]);
      expect(world.alerts).toHaveLength(1);
      expect(await differencesOf(world, payment_id)).toEqual([]);
      // A second time does no harm.
      expect(await endReview(world.dependencies, payment_id, 'give-up')).toMatchObject({
        reviewReason: null,
      });
    },
  );

  test('by taking the money as this payment, and no later word of the provider begins another review', async () => {
    const { world, end, payment, intentId, paymentId } = await different(
      `metadata = '{"payment_id": "another"}'`,
    );
    await end('paid');
    await sql('update sandbox_intents set version = version + 1 where id = $1', intentId);
    const late = { id: `late-${paymentId}`, type: 'payment_intent.succeeded', intentId, body: {} };
    await handleWebhookEvent(world.dependencies, late);
    expect(await payment()).toMatchObject({ status: 'succeeded', review_reason: null });
    expect(world.alerts).toHaveLength(1);
    expect(await differencesOf(world, paymentId)).toEqual([]);
  });

  test('but does not give up what was paid', async () => {
    const { end } = await different('amount = amount - 1');
    await expect(end('give-up')).rejects.toThrow(/give all of it back/);
  });

  test('with the command, which lists what there is', async () => {
    const { world, paymentId, intentId, amount } = await different('amount = amount - 1');
    const lines: string[] = [];
    const run = (...args: string[]) => {
      return runPaymentsCommand(world.dependencies, parse(args), (line) => lines.push(line), 0);
    };
    expect(await run('review')).toBe(0);
    expect(lines.find((line) => line.startsWith(paymentId))).toMatch(/the amount is .* sandbox pi_/);
    expect(await run('review', paymentId, 'paid')).toBe(1);
    await sql('update sandbox_intents set amount = $2 where id = $1', intentId, amount);
    expect(await run('review', paymentId, 'ask')).toBe(0);
    expect(lines.at(-1)).toBe(`${paymentId}: it is succeeded, and nobody has to look at it.`);
  });

  test.each([
    ['review', 'x', 'ask'],
    ['review', 'a', 'b', 'c'],
    ['check', '--since', 'soon'],
    ['check', 'x'],
    [],
    ['review', '--json'],
  ])('with words that are understood, not with %s %s %s %s', (...args: (string | undefined)[]) => {
    expect(() => parse(args.filter((arg) => arg !== undefined))).toThrow(
      /is invalid|too many arguments|unknown option|missing|outputHelp/,
    );
  });
});

const parse = (args: string[]) =>
  parseCommand<PaymentsCommand>((run) => paymentsCommand(() => new Date(), run), args);

/** What the check has to say of one payment. */
async function differencesOf({ dependencies }: PaymentWorld, paymentId: string) {
  const since = new Date(Date.now() - 86_400_000);
  const { differences } = await checkPayments(dependencies, { since, settling: 0 });
  return differences.filter(({ subject, found }) => `${subject} ${found}`.includes(paymentId));
}

const readCase = async (clientId: string) => {
  const [{ case_id }] = (await sql('select case_id from case_clients where client_id = $1', clientId)) as [
    { case_id: string },
  ];
  return readConveyancingCase(testDatabase.database, { clientId, caseId: case_id });
};
