import type { PaymentConfirmationBody } from '@keyturn/contract';
import {
  buildCase,
  createPaymentWorld,
  ownCard,
  type PaymentWorld,
  sandboxCard,
  withTestDatabase,
} from '@keyturn/testkit';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { payableSearches } from '../../case-file/searches/payable-searches.ts';
import { untilBlocked } from '../../testing/until-blocked.ts';
import { startSearchPayment } from '../checkout/start-search-payment.ts';
import { handleWebhookEvent } from '../webhooks/handle-webhook-event.ts';
import { applyProviderIntent, syncPaymentFromProvider } from './sync-payment.ts';

const testDatabase = withTestDatabase();

/** Starts the payment for a search of two joint clients, as the first of them. */
async function startedPayment({ dependencies }: PaymentWorld, confirmed: PaymentConfirmationBody = ownCard) {
  const built = await buildCase(testDatabase.database, {
    clients: [{ firstName: 'Amelia' }, { firstName: 'Tom' }],
  });
  const [amelia = '', tom = ''] = built.clientIds;
  const request = { caseSearchId: built.caseSearchId, confirmed, idempotencyKey: undefined };
  const { payment_id: paymentId } = await startSearchPayment(dependencies, { ...request, clientId: amelia });
  const { provider_intent_id: intentId } = await paymentOf(paymentId);
  return { ...built, amelia, tom, request, paymentId, intentId };
}
const paymentOf = async (id: string) =>
  (await testDatabase.pool.query('select * from payments where id = $1', [id])).rows[0];
const searchOf = async (id: string) =>
  (await testDatabase.pool.query('select status, paid_at from case_searches where id = $1', [id])).rows[0];

describe('a payment that succeeded', () => {
  test.each(['cancelled', 'paid'])(
    'alerts about a payment for a search that the firm has meanwhile set to %s, and leaves the search unchanged',
    async (status) => {
      const world = createPaymentWorld(testDatabase);
      const { intentId, paymentId, caseSearchId } = await startedPayment(world);
      await testDatabase.pool.query('update case_searches set status = $2 where id = $1', [
        caseSearchId,
        status,
      ]);
      await world.intents.confirm(intentId, sandboxCard());
      await syncPaymentFromProvider(world.dependencies, intentId, { name: 'test' });
      expect((await paymentOf(paymentId)).status).toBe('succeeded');
      expect(await searchOf(caseSearchId)).toEqual({ status, paid_at: null });
      expect(world.alerts).toEqual([
        'a search was paid that no longer awaited payment: the money may have to be refunded',
      ]);
    },
  );

  test('raises no alert about a payment for a search that awaits payment', async () => {
    const world = createPaymentWorld(testDatabase);
    const { intentId } = await startedPayment(world);
    await world.intents.confirm(intentId, sandboxCard());
    await syncPaymentFromProvider(world.dependencies, intentId, { name: 'test' });
    expect(world.alerts).toEqual([]);
  });

  test.each([
    ['is on hold', "update conveyancing_cases set status = 'on_hold' where id = $1"],
    ['is completed', "update conveyancing_cases set status = 'completed' where id = $1"],
  ])(
    'alerts about a payment for a search on a case that meanwhile %s, and keeps the payment',
    async (_what, change) => {
      const world = createPaymentWorld(testDatabase);
      const { intentId, paymentId, id } = await startedPayment(world);
      await testDatabase.pool.query(change, [id]);
      await world.intents.confirm(intentId, sandboxCard());
      await syncPaymentFromProvider(world.dependencies, intentId, { name: 'test' });
      expect((await paymentOf(paymentId)).status).toBe('succeeded');
      expect(world.alerts).toEqual([
        'a payment came for a case that is not active: the money may have to be refunded',
      ]);
    },
  );

  test('alerts when the payer is no longer on the case, and keeps the payment', async () => {
    const world = createPaymentWorld(testDatabase);
    const { intentId, paymentId, id, amelia } = await startedPayment(world);
    await testDatabase.pool.query('delete from case_clients where case_id = $1 and client_id = $2', [
      id,
      amelia,
    ]);
    await world.intents.confirm(intentId, sandboxCard());
    await syncPaymentFromProvider(world.dependencies, intentId, { name: 'test' });
    expect((await paymentOf(paymentId)).status).toBe('succeeded');
    expect(world.alerts).toEqual([
      'a client paid who is no longer on the case: the money may have to be refunded',
    ]);
  });

  test('fault 19: alerts when a cancelled payment was paid, and keeps it cancelled', async () => {
    const world = createPaymentWorld(testDatabase);
    const { intentId, paymentId } = await startedPayment(world);
    await world.intents.confirm(intentId, sandboxCard());
    await testDatabase.pool.query("update payments set status = 'cancelled' where id = $1", [paymentId]);
    for (const event of await world.eventsOf(intentId)) await handleWebhookEvent(world.dependencies, event);
    expect((await paymentOf(paymentId)).status).toBe('cancelled');
    expect(world.alerts).toEqual(['a payment intent is not what we asked for']);
  });
});

describe('the history', () => {
  test('names the client who confirmed the payment in the history, not the one who opened it', async () => {
    const world = createPaymentWorld(testDatabase);
    const { dependencies } = world;
    const { intentId, paymentId, amelia, tom, request, id } = await startedPayment(world, {});
    await startSearchPayment(dependencies, { ...request, clientId: tom, confirmed: ownCard });
    await world.intents.confirm(intentId, sandboxCard());
    await syncPaymentFromProvider(dependencies, intentId, { name: 'test' });
    expect(await paymentOf(paymentId)).toMatchObject({ client_id: amelia, confirmed_by: tom });
    const { rows } = await testDatabase.pool.query(
      "select actor from history_entries where case_id = $1 and category = 'payment'",
      [id],
    );
    expect(rows).toEqual([{ actor: 'Tom Ashdown' }]);
  });
});

test('alerts about a successful payment that no client had confirmed', async () => {
  const world = createPaymentWorld(testDatabase);
  const { intentId } = await startedPayment(world, {});
  await world.intents.confirm(intentId, sandboxCard());
  await syncPaymentFromProvider(world.dependencies, intentId, { name: 'test' });
  expect(world.alerts).toEqual([expect.stringContaining('no client had confirmed')]);
});

describe('syncing a payment', () => {
  test('syncs a payment while the joint client continues it, without a deadlock or retry', async () => {
    const world = createPaymentWorld(testDatabase);
    const { intentId, tom, request, paymentId } = await startedPayment(world);
    await world.intents.confirm(intentId, sandboxCard());
    const tries = { locked: 0, paid: 0 };
    let goOn: Promise<unknown> | undefined;
    const { lock, markPaid } = payableSearches;
    vi.spyOn(payableSearches, 'lock').mockImplementation((...given) => {
      tries.locked += 1;
      return lock(...given);
    });
    vi.spyOn(payableSearches, 'markPaid').mockImplementation(async (...given) => {
      tries.paid += 1;
      goOn ??= startSearchPayment(world.dependencies, {
        ...request,
        clientId: tom,
        confirmed: {},
      }).catch((error: unknown) => error);
      await untilBlocked(testDatabase);
      return markPaid(...given);
    });
    onTestFinished(() => void vi.restoreAllMocks());
    await syncPaymentFromProvider(world.dependencies, intentId, { name: 'test' });
    expect(await goOn).toMatchObject({ code: 'already_paid' });
    expect(tries).toEqual({ locked: 1, paid: 1 });
    expect((await paymentOf(paymentId)).status).toBe('succeeded');
  });

  test('ignores an answer of the provider that arrives after a newer one', async () => {
    const world = withoutRevisions(createPaymentWorld(testDatabase));
    const { dependencies } = world;
    const { intentId, paymentId } = await startedPayment(world);
    const askedAt = dependencies.clock();
    const early = await dependencies.provider.retrieveIntent(intentId);
    await world.intents.confirm(intentId, sandboxCard(cardThatAsks));
    await syncPaymentFromProvider(dependencies, intentId, { name: 'event' });
    const late = await applyProviderIntent(dependencies, { intent: early, askedAt }, { name: 'late' });
    expect(late).toMatchObject({ decision: 'unchanged', intent: { status: 'requires_action' } });
    expect(await changesOf(paymentId)).toEqual(['requires_payment_method', 'requires_action']);
  });

  test('returns a payment to its earlier status when the payer did not confirm at the bank', async () => {
    const world = withoutRevisions(createPaymentWorld(testDatabase));
    const { dependencies } = world;
    const { intentId, paymentId } = await startedPayment(world);
    await world.intents.confirm(intentId, sandboxCard(cardThatAsks));
    await syncPaymentFromProvider(dependencies, intentId, { name: 'event' });
    await world.intents.authenticate(intentId, 'refused');
    const synced = await syncPaymentFromProvider(dependencies, intentId, { name: 'event' });
    expect(synced.decision).toBe('apply');
    expect((await paymentOf(paymentId)).status).toBe('requires_payment_method');
  });
});

describe('receipt numbers', () => {
  test('numbers receipts by year in London, without a gap after a failed transaction', async () => {
    const newYear = new Date('2031-12-31T23:59:59Z');
    let now = newYear;
    const world = createPaymentWorld(testDatabase, { clock: () => now });
    const pay = async (dependencies = world.dependencies) => {
      const { intentId, paymentId } = await startedPayment(world);
      await world.intents.confirm(intentId, sandboxCard());
      await syncPaymentFromProvider(dependencies, intentId, { name: 'test' }).catch(() => {});
      return { intentId, number: (await paymentOf(paymentId)).receipt_number as string | null };
    };
    expect((await pay()).number).toBe('R-2031-000001');
    let fails = true;
    const dying = {
      ...world.dependencies,
      database: new Proxy(testDatabase.database, {
        get: (target, name) =>
          name === 'transaction' && fails
            ? (work: (transaction: unknown) => Promise<unknown>) =>
                target.transaction(async (transaction) => {
                  await work(transaction);
                  throw new Error('the line went dead before the commit');
                })
            : Reflect.get(target, name),
      }),
    };
    const lost = await pay(dying);
    expect(lost.number).toBeNull();
    fails = false;
    expect((await pay()).number).toBe('R-2031-000002');
    now = new Date(newYear.getTime() + 1_000);
    expect((await pay()).number).toBe('R-2032-000001');
    const together = await Promise.all(Array.from({ length: 8 }, () => pay()));
    expect(together.map(({ number }) => number).sort()).toEqual(
      Array.from({ length: 8 }, (_, index) => `R-2032-00000${index + 2}`),
    );
  });
});

/** The bank of this card asks the payer to confirm. */
const cardThatAsks = '4000000000003220';

/** A world with a provider that, like Stripe, has no version numbers for intents. */
function withoutRevisions(world: PaymentWorld): PaymentWorld {
  const { provider } = world.dependencies;
  const retrieveIntent = async (id: string) => ({ ...(await provider.retrieveIntent(id)), revision: null });
  return {
    ...world,
    dependencies: { ...world.dependencies, provider: { ...provider, retrieveIntent } },
  };
}

const changesOf = async (paymentId: string) => {
  const { rows } = await testDatabase.pool.query(
    'select to_status from payment_changes where payment_id = $1 and to_status is distinct from from_status order by id',
    [paymentId],
  );
  return rows.map(({ to_status }) => to_status);
};
