import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createImportDependencies,
  createPaymentWorld,
  createTestClock,
  ownCard,
  sandboxCard,
  startTestPayment,
  withFreshTestDatabase,
} from '@keyturn/testkit';
import { changedFeed as changed, fixtureFeed as feed } from '@keyturn/testkit/fixture-feed.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFileStore } from '../../adapters/files/file-store.ts';
import { cancelPayment } from '../../payments/checkout/cancel-payment.ts';
import { expirePayments } from '../../payments/checkout/expire-payments.ts';
import { startSearchPayment } from '../../payments/checkout/start-search-payment.ts';
import { syncPaymentFromProvider } from '../../payments/intents/sync-payment.ts';
import { checkPayments } from '../../payments/reconciliation/check-payments.ts';
import { importFeed } from './import-feed.ts';

const actor = { kind: 'command_line', id: null, name: 'rhian' } as const;

const testDatabase = withFreshTestDatabase();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keyturn-feed-'));
  writeFileSync(join(folder, 'letter.pdf'), '%PDF-1.7 a letter');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function sendFeed(feed: unknown) {
  const dependencies = createImportDependencies({
    database: testDatabase.database,
    files: createFileStore(join(folder, 'stored')),
  });
  return importFeed(dependencies, { feed, folder, as: 'real', actor });
}
const one = async (sql: string) => (await testDatabase.pool.query(sql)).rows[0];
const entries = (summary: string) =>
  testDatabase.pool.query('select summary, category, actor from history_entries where summary like $1', [
    summary,
  ]);
const searchNow = () => one('select status, price_net, price_vat, price_gross, matter_id from case_searches');

async function withCardFormOpen() {
  await sendFeed(feed);
  const clock = createTestClock();
  const world = createPaymentWorld(testDatabase, { clock });
  const { id: clientId } = await one('select id from clients');
  const { id: caseSearchId } = await one('select id from case_searches');
  const request = { clientId, caseSearchId, confirmed: ownCard, idempotencyKey: undefined };
  return { ...world, clock, request, clientId, ...(await startTestPayment(world.dependencies, request)) };
}

/** Every change by a feed that would remove the search from an open card form. */
const withdrawals: [string, () => unknown][] = [
  ...(['paid', 'ordered', 'returned', 'reviewed', 'cancelled'] as const).map(
    (status): [string, () => unknown] => [`is ${status} elsewhere`, () => changed('searches', { status })],
  ),
  ['costs more', () => changed('searches', { price: { net: 9_999, vat_rate: 20 } })],
  ['costs nothing', () => changed('searches', { price: { net: 0, vat_rate: 0 } })],
  [
    'costs the same with other VAT, against the lines of the payment',
    () => changed('searches', { price: { net: 3_916, vat_rate: 0 } }),
  ],
  [
    'is cancelled at another price',
    () => changed('searches', { status: 'cancelled', price: { net: 0, vat_rate: 0 } }),
  ],
  [
    'belongs to another matter',
    () => ({
      ...changed('searches', { matter: 'M2', result_document: undefined }),
      matters: [...feed.matters, { ...feed.matters[0], reference: 'M2' }],
    }),
  ],
];

describe('a feed that changes a search while its card form is open', () => {
  test.each(withdrawals)(
    'a feed in which a search with an open card form %s does not change the search, and the payment succeeds',
    async (_change, feedWithChange) => {
      const { dependencies, intents, alerts, intentId } = await withCardFormOpen();
      const before = await searchNow();
      const { rejected } = await sendFeed(feedWithChange());
      expect(rejected).toMatchObject([{ reference: 'S1' }]);
      expect(await searchNow()).toEqual(before);
      await intents.confirm(intentId, sandboxCard());
      await syncPaymentFromProvider(dependencies, intentId, { name: 'test' });
      expect(await searchNow()).toEqual({ ...before, status: 'paid' });
      expect(alerts).toEqual([]);
    },
  );

  test.each(['4000000000000002', '4000000000003220', '4000000000000077'])(
    'a feed cannot cancel a search after a card was tried (%s)',
    async (number) => {
      const { dependencies, intents, intentId } = await withCardFormOpen();
      await intents.confirm(intentId, sandboxCard(number));
      await syncPaymentFromProvider(dependencies, intentId, { name: 'test' });
      expect((await sendFeed(changed('searches', { status: 'cancelled' }))).rejected).toHaveLength(1);
      expect(await searchNow()).toMatchObject({ status: 'awaiting_payment' });
    },
  );

  test('a fully refunded search can be paid again once the firm offers it again, and not before', async () => {
    const { dependencies, intents, intentId, paymentId, request } = await withCardFormOpen();
    await intents.confirm(intentId, sandboxCard());
    const sync = () => syncPaymentFromProvider(dependencies, intentId, { name: 'test' });
    await sync();
    await sendFeed(changed('searches', { status: 'paid' }));
    const { amount } = await one('select amount from payments');
    await intents.refund(intentId, { amount, reason: 'duplicate', idempotencyKey: 'refund' });
    await sync();
    const start = () => startSearchPayment(dependencies, request);
    await expect(start()).rejects.toMatchObject({ code: 'already_paid' });
    expect((await sendFeed(changed('searches', { status: 'paid', name: 'Renamed' }))).rejected).toEqual([]);
    await expect(start()).rejects.toMatchObject({ code: 'already_paid' });

    expect((await sendFeed(changed('searches', { status: 'awaiting_payment' }))).rejected).toEqual([]);
    expect(await searchNow()).toMatchObject({ status: 'awaiting_payment' });
    expect(await one("select status from tasks where kind = 'pay_search'")).toEqual({ status: 'open' });
    expect((await sendFeed(changed('searches', { status: 'awaiting_payment' }))).rejected).toEqual([]);
    const offers = 'select from_status, to_status, cause, money, provider_event_id from payment_changes';
    expect((await testDatabase.pool.query(`${offers} where search_released_at is not null`)).rows).toEqual([
      {
        from_status: 'refunded',
        to_status: 'refunded',
        cause: 'search_offered_again',
        money: 0,
        provider_event_id: null,
      },
    ]);
    expect((await entries('We offered a refunded search again: %')).rows).toEqual([
      {
        summary: `We offered a refunded search again: ${feed.searches[0]?.name}`,
        category: 'payment',
        actor: feed.firm.name,
      },
    ]);
    const again = await startTestPayment(dependencies, request);
    expect(again.paymentId).not.toBe(paymentId);
    await intents.confirm(again.intentId, sandboxCard());
    await syncPaymentFromProvider(dependencies, again.intentId, { name: 'test' });
    expect(await searchNow()).toMatchObject({ status: 'paid' });
    await expect(start()).rejects.toMatchObject({ code: 'already_paid' });

    // The refund fails later: it is reversed in the record, and the check reports that the search is paid twice.
    const { id } = await one("select id from sandbox_refunds where status = 'succeeded'");
    await intents.endRefund(id, 'failed');
    await sync();
    expect(await one(`select status from payments where id = '${paymentId}'`)).toEqual({
      status: 'succeeded',
    });
    const report = await checkPayments(dependencies, { since: new Date(0), recheckDelay: 0 });
    expect(report.discrepancies).toContainEqual(expect.objectContaining({ kind: 'paid_twice' }));
  });

  test('a search with an open card form stays when it is left out of the feed', async () => {
    await withCardFormOpen();
    const before = await searchNow();
    const { rejected } = await sendFeed({ ...feed, matters: [], documents: [], searches: [], tasks: [] });
    expect(rejected).toEqual([]);
    expect(await searchNow()).toEqual(before);
  });

  test('a search that is cancelled and paid concurrently is never both', async () => {
    await sendFeed(feed);
    const { dependencies } = createPaymentWorld(testDatabase);
    const { id: clientId } = await one('select id from clients');
    const { id: caseSearchId } = await one('select id from case_searches');
    const request = { clientId, caseSearchId, confirmed: ownCard, idempotencyKey: undefined };
    const [imported, begun] = await Promise.allSettled([
      sendFeed(changed('searches', { status: 'cancelled' })),
      startSearchPayment(dependencies, request),
    ]);
    const isBegun = begun.status === 'fulfilled';
    if (!isBegun) expect(begun.reason).toMatchObject({ code: 'not_payable' });
    expect(imported).toMatchObject({ value: { rejected: { length: isBegun ? 1 : 0 } } });
    expect(await searchNow()).toMatchObject({ status: isBegun ? 'awaiting_payment' : 'cancelled' });
  });
});

describe('a feed that was rejected because of a payment is accepted', () => {
  test('a feed rejected because of a payment is accepted after the payment was cancelled', async () => {
    const { dependencies, clientId, paymentId, request } = await withCardFormOpen();
    const cancelled = changed('searches', { status: 'cancelled' });
    expect((await sendFeed(cancelled)).rejected).toHaveLength(1);
    await cancelPayment(dependencies, { clientId, paymentId });
    expect(await sendFeed(cancelled)).toMatchObject({ updated: 1, rejected: [] });
    expect(await searchNow()).toMatchObject({ status: 'cancelled' });
    await expect(startSearchPayment(dependencies, request)).rejects.toMatchObject({ code: 'not_payable' });
  });

  test('a feed rejected because of a payment is accepted after it expired, and the card form charges nothing', async () => {
    const { dependencies, clock, intents, intentId } = await withCardFormOpen();
    const dearer = changed('searches', { price: { net: 9_999, vat_rate: 20 } });
    const cancelled = changed('searches', { status: 'cancelled' });
    for (const feed of [dearer, cancelled]) expect((await sendFeed(feed)).rejected).toHaveLength(1);
    clock.advance(91 * 60_000);
    await expirePayments(dependencies);
    expect(await sendFeed(dearer)).toMatchObject({ updated: 1, rejected: [] });
    expect(await sendFeed(cancelled)).toMatchObject({ updated: 1, rejected: [] });
    expect((await intents.confirm(intentId, sandboxCard())).status).toBe('canceled');
  });
});
