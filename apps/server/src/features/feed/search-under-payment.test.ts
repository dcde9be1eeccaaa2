import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createPaymentWorld,
  createTestClock,
  sandboxCard,
  startTestPayment,
  withFreshTestDatabase,
} from '@keyturn/testkit';
import { changedFeed as changed, fixtureFeed as feed } from '@keyturn/testkit/fixture-feed.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFileStore } from '../../adapters/files/file-store.ts';
import { cancelPayment } from '../payments/checkout/cancel-payment.ts';
import { expirePayments } from '../payments/checkout/expire-payments.ts';
import { startSearchPayment } from '../payments/checkout/start-search-payment.ts';
import { syncPaymentFromProvider } from '../payments/provider/sync-payment.ts';
import { importFeed } from './import-feed.ts';

const testDatabase = withFreshTestDatabase();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keyturn-feed-'));
  writeFileSync(join(folder, 'letter.pdf'), '%PDF-1.7 a letter');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function take(given: unknown) {
  const dependencies = {
    database: testDatabase.database,
    files: createFileStore(join(folder, 'stored')),
    clock: () => new Date(),
    hashPassword: async (password: string) => password,
    checkPassword: () => [],
    findSigningFault: async () => null,
  };
  return importFeed(dependencies, { feed: given, folder, as: 'real' });
}
const one = async (sql: string) => (await testDatabase.pool.query(sql)).rows[0];
const searchNow = () => one('select status, price_net, price_vat, price_gross, matter_id from case_searches');

async function withCardFormOpen() {
  await take(feed);
  const clock = createTestClock();
  const world = createPaymentWorld(testDatabase, { clock });
  const { id: clientId } = await one('select id from clients');
  const { id: caseSearchId } = await one('select id from case_searches');
  const request = { clientId, caseSearchId, confirmed: {}, idempotencyKey: undefined };
  return { ...world, clock, request, clientId, ...(await startTestPayment(world.dependencies, request)) };
}

/** All that a feed can say that would leave the open card form without what it pays for. */
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

describe('while a card form is open, a search of which the feed says that it', () => {
  test.each(withdrawals)('%s stays what it was, and the payment pays for it', async (_what, say) => {
    const { dependencies, intents, alerts, intentId } = await withCardFormOpen();
    const before = await searchNow();
    const { refused } = await take(say());
    expect(refused).toMatchObject([{ reference: 'S1' }]);
    expect(await searchNow()).toEqual(before);
    await intents.confirm(intentId, sandboxCard());
    await syncPaymentFromProvider(dependencies, intentId, { name: 'test' });
    expect(await searchNow()).toEqual({ ...before, status: 'paid' });
    expect(alerts).toEqual([]);
  });

  test.each(['4000000000000002', '4000000000003220', '4000000000000077'])(
    'is cancelled waits, also after a card was tried (%s)',
    async (number) => {
      const { dependencies, intents, intentId } = await withCardFormOpen();
      await intents.confirm(intentId, sandboxCard(number));
      await syncPaymentFromProvider(dependencies, intentId, { name: 'test' });
      expect((await take(changed('searches', { status: 'cancelled' }))).refused).toHaveLength(1);
      expect(await searchNow()).toMatchObject({ status: 'awaiting_payment' });
    },
  );

  test('is no longer there stays: a feed takes nothing away', async () => {
    await withCardFormOpen();
    const before = await searchNow();
    const { refused } = await take({ ...feed, matters: [], documents: [], searches: [], tasks: [] });
    expect(refused).toEqual([]);
    expect(await searchNow()).toEqual(before);
  });

  test('is cancelled at the same moment is either cancelled or to be paid, never both', async () => {
    await take(feed);
    const { dependencies } = createPaymentWorld(testDatabase);
    const { id: clientId } = await one('select id from clients');
    const { id: caseSearchId } = await one('select id from case_searches');
    const request = { clientId, caseSearchId, confirmed: {}, idempotencyKey: undefined };
    const [imported, begun] = await Promise.allSettled([
      take(changed('searches', { status: 'cancelled' })),
      startSearchPayment(dependencies, request),
    ]);
    const isBegun = begun.status === 'fulfilled';
    if (!isBegun) expect(begun.reason).toMatchObject({ code: 'not_payable' });
    expect(imported).toMatchObject({ value: { refused: { length: isBegun ? 1 : 0 } } });
    expect(await searchNow()).toMatchObject({ status: isBegun ? 'awaiting_payment' : 'cancelled' });
  });
});

describe('the very feed that was refused is taken the next time', () => {
  test('when the payment was given up', async () => {
    const { dependencies, clientId, paymentId, request } = await withCardFormOpen();
    const cancelled = changed('searches', { status: 'cancelled' });
    expect((await take(cancelled)).refused).toHaveLength(1);
    await cancelPayment(dependencies, { clientId, paymentId });
    expect(await take(cancelled)).toMatchObject({ updated: 1, refused: [] });
    expect(await searchNow()).toMatchObject({ status: 'cancelled' });
    await expect(startSearchPayment(dependencies, request)).rejects.toMatchObject({ code: 'not_payable' });
  });

  test('when the payment has expired, and the card form that is still open takes no money', async () => {
    const { dependencies, clock, intents, intentId } = await withCardFormOpen();
    const dearer = changed('searches', { price: { net: 9_999, vat_rate: 20 } });
    const cancelled = changed('searches', { status: 'cancelled' });
    for (const said of [dearer, cancelled]) expect((await take(said)).refused).toHaveLength(1);
    clock.advance(91 * 60_000);
    await expirePayments(dependencies);
    expect(await take(dearer)).toMatchObject({ updated: 1, refused: [] });
    expect(await take(cancelled)).toMatchObject({ updated: 1, refused: [] });
    expect((await intents.confirm(intentId, sandboxCard())).status).toBe('canceled');
  });
});
