import {
  buildCase,
  buildFirm,
  createPaymentWorld,
  intentOf,
  ownCard,
  type PaymentWorld,
  parseCommand,
  sandboxCard,
  startTestPayment,
  withTestDatabase,
} from '@keyturn/testkit';
import { beforeAll, describe, expect, test } from 'vitest';
import { readCaseSearch } from '../../case-file/searches/read-case-searches.ts';
import { readConveyancingCase } from '../../testing/read-conveyancing-case.ts';
import { cancelPayment } from '../checkout/cancel-payment.ts';
import { expirePayments } from '../checkout/expire-payments.ts';
import { startSearchPayment } from '../checkout/start-search-payment.ts';
import { syncPaymentFromProvider } from '../intents/sync-payment.ts';
import { checkPayments } from '../reconciliation/check-payments.ts';
import {
  type PaymentsCommand,
  paymentsCommand,
  runPaymentsCommand,
} from '../reconciliation/payments-command.ts';
import { readPayments } from '../records/read-payment.ts';
import { handleWebhookEvent } from '../webhooks/handle-webhook-event.ts';
import { closeReview, type ReviewDecision } from './close-review.ts';

const testDatabase = withTestDatabase();
beforeAll(async () => {
  await buildFirm(testDatabase.database);
});

const sql = async (text: string, ...values: unknown[]) => (await testDatabase.pool.query(text, values)).rows;

/** A payment under review: its intent was changed at the provider before the card was charged. */
async function createReview(change: string) {
  const world = createPaymentWorld(testDatabase);
  const { clientId, caseSearchId, id } = await buildCase(testDatabase.database);
  const request = { clientId, caseSearchId, confirmed: ownCard, idempotencyKey: undefined };
  const { paymentId, intentId, amount } = await startTestPayment(world.dependencies, request);
  await sql(`update sandbox_intents set ${change} where id = $1`, intentId);
  await world.intents.confirm(intentId, sandboxCard());
  for (const event of await world.eventsOf(intentId)) await handleWebhookEvent(world.dependencies, event);
  const payment = async () => (await sql('select * from payments where id = $1', paymentId))[0];
  const close = (decision: ReviewDecision) => closeReview(world.dependencies, paymentId, decision);
  const start = () => startSearchPayment(world.dependencies, request);
  return {
    world,
    clientId,
    caseSearchId,
    caseId: id,
    paymentId,
    intentId,
    amount,
    payment,
    close,
    start,
  };
}
/** The difference at the provider, with the change that causes it. */
const mismatches: [name: string, change: string][] = [
  ['amount', 'amount = amount - 1'],
  ['currency', "currency = 'usd'"],
  ['payment', `metadata = '{"payment_id": "another"}'`],
];

describe('a payment whose intent does not match', () => {
  test.each(mismatches)(
    'fault 19: a payment for an intent with another %s is not marked paid, alerts the operator and tells the client not to pay again',
    async (_name, change) => {
      const { world, clientId, caseSearchId, paymentId, intentId, payment, start } =
        await createReview(change);
      expect(await payment()).toMatchObject({ status: 'requires_payment_method', paid_at: null });
      expect(world.alerts).toEqual(['a payment intent is not what we asked for']);
      await syncPaymentFromProvider(world.dependencies, intentId, { name: 'reconciliation' });
      expect(world.alerts).toHaveLength(1);

      expect(await readPayments({}).forClient(world.dependencies.database, clientId)).toMatchObject([
        { id: paymentId, under_review: true },
      ]);
      expect(await readCaseSearch(caseSearchId).forClient(testDatabase.database, clientId)).toMatchObject({
        status: 'awaiting_payment',
        payable: false,
        under_review: true,
      });
      const { active_case: _active, ...shown } = { active_case: null, ...(await readCase(clientId)) };
      expect(shown).toMatchObject({ amount_due: 0, amount_paid: 0 });
      await expect(start()).rejects.toMatchObject({
        code: 'payment_under_review',
        message: expect.stringContaining('Please don’t pay again'),
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

  test('fault 19: a payment whose intent has another amount does not expire', async () => {
    const { world, payment, paymentId } = await createReview('amount = amount - 1');
    await sql(
      "update payments set updated_at = now() - interval '1 day', next_check_at = now() where id = $1",
      paymentId,
    );
    await expirePayments(world.dependencies);
    expect((await payment()).status).toBe('requires_payment_method');
  });

  test('fault 19: a cancelled payment whose money was captured blocks another payment for the search', async () => {
    const world = createPaymentWorld(testDatabase);
    const { clientId, caseSearchId } = await buildCase(testDatabase.database);
    const request = { clientId, caseSearchId, confirmed: ownCard, idempotencyKey: undefined };
    const { client_secret, payment_id } = await startSearchPayment(world.dependencies, request);
    await world.intents.confirm(intentOf(client_secret), sandboxCard());
    await sql("update payments set status = 'cancelled' where id = $1", payment_id);
    await syncPaymentFromProvider(world.dependencies, intentOf(client_secret), { name: 'test' });
    await expect(startSearchPayment(world.dependencies, request)).rejects.toMatchObject({
      code: 'payment_under_review',
    });
    expect(await readCaseSearch(caseSearchId).forClient(testDatabase.database, clientId)).toMatchObject({
      payable: false,
      under_review: true,
      payment: null,
    });
    expect(await readPayments({}).forClient(world.dependencies.database, clientId)).toMatchObject([
      { id: payment_id, under_review: true },
    ]);
    await expect(closeReview(world.dependencies, payment_id, 'paid')).rejects.toThrow(/Refund the money/);
    await expect(closeReview(world.dependencies, payment_id, 'cancel')).rejects.toThrow(/Refund all of it/);
  });
});

describe('closing a review', () => {
  test('sync closes a review once the intent is corrected at the provider', async () => {
    const { world, close, payment, amount, intentId, caseSearchId, clientId } =
      await createReview('amount = amount - 1');
    await expect(close('sync')).rejects.toThrow(/still does not match: the amount is/);
    expect((await payment()).review_reason).not.toBeNull();
    await sql('update sandbox_intents set amount = $2 where id = $1', intentId, amount);
    expect(await close('sync')).toMatchObject({ status: 'succeeded', reviewReason: null });
    expect(await readCaseSearch(caseSearchId).forClient(testDatabase.database, clientId)).toMatchObject({
      status: 'paid',
      under_review: false,
    });
    expect(world.alerts).toHaveLength(2);
  });

  test('paid marks the payment as paid where the right amount was captured', async () => {
    const { close, payment, paymentId } = await createReview(`metadata = '{"payment_id": "another"}'`);
    const mails = () => sql('select kind, occasion from payment_mails where payment_id = $1', paymentId);
    expect(await mails()).toEqual([]);
    expect(await close('paid')).toMatchObject({ status: 'succeeded', reviewReason: null });
    expect((await payment()).receipt_number).toMatch(/^R-/);
    expect(await mails()).toEqual([{ kind: 'receipt', occasion: 1 }]);
  });

  test('paid is rejected where another amount was captured', async () => {
    const { close, payment } = await createReview('amount = amount - 1');
    await expect(close('paid')).rejects.toThrow(/The provider captured .*, not/);
    expect((await payment()).review_reason).not.toBeNull();
  });

  test('cancel closes a review without money, and the search can be paid again', async () => {
    const world: PaymentWorld = createPaymentWorld(testDatabase);
    const { clientId, caseSearchId } = await buildCase(testDatabase.database);
    const request = { clientId, caseSearchId, confirmed: ownCard, idempotencyKey: undefined };
    const { client_secret, payment_id } = await startSearchPayment(world.dependencies, request);
    await sql('update sandbox_intents set amount = amount - 1 where id = $1', intentOf(client_secret));
    await syncPaymentFromProvider(world.dependencies, intentOf(client_secret), { name: 'test' });
    expect(await closeReview(world.dependencies, payment_id, 'cancel')).toMatchObject({
      status: 'cancelled',
      reviewReason: null,
    });
    expect((await world.intents.confirm(intentOf(client_secret), sandboxCard())).status).toBe('canceled');
    expect((await startSearchPayment(world.dependencies, request)).payment_id).not.toBe(payment_id);
  });

  test.each(mismatches)(
    'cancel permanently closes a review of another %s: the cancelled intent starts no new review',
    async (_name, change) => {
      const world = createPaymentWorld(testDatabase);
      const { clientId, caseSearchId } = await buildCase(testDatabase.database);
      const request = { clientId, caseSearchId, confirmed: ownCard, idempotencyKey: undefined };
      const { client_secret, payment_id } = await startSearchPayment(world.dependencies, request);
      const intentId = intentOf(client_secret);
      const withoutPayment = change.replace('{"payment_id": "another"}', '{}');
      await sql(`update sandbox_intents set ${withoutPayment} where id = $1`, intentId);
      await syncPaymentFromProvider(world.dependencies, intentId, { name: 'test' });
      await closeReview(world.dependencies, payment_id, 'cancel');
      for (const event of await world.eventsOf(intentId)) await handleWebhookEvent(world.dependencies, event);
      expect(await sql('select status, review_reason from payments where id = $1', payment_id)).toEqual([
        { status: 'cancelled', review_reason: null },
      ]);
      expect(world.alerts).toHaveLength(1);
      expect(await discrepanciesOf(world, payment_id)).toEqual([]);
      // Idempotent.
      expect(await closeReview(world.dependencies, payment_id, 'cancel')).toMatchObject({
        reviewReason: null,
      });
    },
  );

  test('paid permanently closes a review: later webhooks start no new review', async () => {
    const { world, close, payment, intentId, paymentId } = await createReview(
      `metadata = '{"payment_id": "another"}'`,
    );
    await close('paid');
    await sql('update sandbox_intents set version = version + 1 where id = $1', intentId);
    const late = { id: `late-${paymentId}`, type: 'payment_intent.succeeded', intentId, body: {} };
    await handleWebhookEvent(world.dependencies, late);
    expect(await payment()).toMatchObject({ status: 'succeeded', review_reason: null });
    expect(world.alerts).toHaveLength(1);
    expect(await discrepanciesOf(world, paymentId)).toEqual([]);
  });

  test('cancel is rejected where money was captured', async () => {
    const { close } = await createReview('amount = amount - 1');
    await expect(close('cancel')).rejects.toThrow(/Refund all of it/);
  });

  test('keyturn payments review lists the payments under review and closes a review', async () => {
    const { world, paymentId, intentId, amount } = await createReview('amount = amount - 1');
    const lines: string[] = [];
    const run = (...args: string[]) => {
      return runPaymentsCommand(world.dependencies, parse(args), (line) => lines.push(line), 0);
    };
    expect(await run('review')).toBe(0);
    expect(lines.find((line) => line.startsWith(paymentId))).toMatch(/the amount is .* sandbox pi_/);
    expect(await run('review', paymentId, 'paid')).toBe(1);
    await sql('update sandbox_intents set amount = $2 where id = $1', intentId, amount);
    expect(await run('review', paymentId, 'sync')).toBe(0);
    expect(lines.at(-1)).toBe(`${paymentId}: the review is closed. The payment is succeeded.`);
  });

  test.each([
    ['review', 'x', 'sync'],
    ['review', 'a', 'b', 'c'],
    ['check', '--since', 'soon'],
    ['check', 'x'],
    [],
    ['review', '--json'],
  ])('keyturn payments rejects the arguments %s %s %s %s', (...args: (string | undefined)[]) => {
    expect(() => parse(args.filter((arg) => arg !== undefined))).toThrow(
      /is invalid|too many arguments|unknown option|missing|outputHelp/,
    );
  });
});

const parse = (args: string[]) =>
  parseCommand<PaymentsCommand>((run) => paymentsCommand(() => new Date(), run), args);

/** The discrepancies that `keyturn payments check` reports for one payment. */
async function discrepanciesOf({ dependencies }: PaymentWorld, paymentId: string) {
  const since = new Date(Date.now() - 86_400_000);
  const { discrepancies } = await checkPayments(dependencies, { since, recheckDelay: 0 });
  return discrepancies.filter(({ subject, found }) => `${subject} ${found}`.includes(paymentId));
}

const readCase = async (clientId: string) => {
  const [{ case_id }] = (await sql('select case_id from case_clients where client_id = $1', clientId)) as [
    { case_id: string },
  ];
  return readConveyancingCase(testDatabase.database, { clientId, caseId: case_id });
};
