import { readPdf } from '@keyturn/pdf/testing';
import {
  buildCase,
  createPaymentWorld,
  createTestFiles,
  intentOf,
  ownCard,
  sandboxCard,
  withFreshTestDatabase,
} from '@keyturn/testkit';
import { sql } from 'drizzle-orm';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createFactSheetPrinter } from '../../adapters/pdf/create-fact-sheet-printer.ts';
import { foundAt, itemsOf } from '../../case-file/today/find-items.ts';
import type { Mail } from '../../platform/mailer.ts';
import { runQueuedJobs } from '../../testing/run-queued-jobs.ts';
import { startSearchPayment } from '../checkout/start-search-payment.ts';
import { syncPaymentFromProvider } from '../intents/sync-payment.ts';
import type { FactSheetPrinter } from '../ports/printers.ts';
import { orderRequestHandler, queueUnfiledRequests } from './file-order-request-job.ts';
import { orderRequestMailHandler } from './order-request-mail.ts';

const testDatabase = withFreshTestDatabase();
const files = createTestFiles();
afterAll(() => files.drop());
const printer = createFactSheetPrinter();

beforeEach(() =>
  testDatabase.pool.query('update installation set firm = $1', [
    JSON.stringify({
      name: 'Alder & Finch',
      sra_number: '000000',
      phone: '0117 496 0100',
      address: ['12 Queen Square', 'Bristol BS1 4NT'],
      opening_hours: 'Monday to Friday',
      vat_number: 'GB 123 4567 89',
      order_cutoff: '15:00',
      closed_on: [],
    }),
  ]),
);

const storeRule = (order_searches: 'cleared' | 'at_once') =>
  testDatabase.pool.query(
    `insert into firm_data (kind, version, value)
     select kind, version + 1, value || $1 from firm_data where kind = 'payment_rules' order by version desc limit 1`,
    [JSON.stringify({ order_searches })],
  );

/** Pays for a search of Amelia’s and Tom’s case. */
async function paySearch(confirmed: object = {}) {
  const { pool, database } = testDatabase;
  const world = createPaymentWorld(testDatabase);
  const built = await buildCase(database, {
    clients: [
      { firstName: 'Amelia', lastName: 'Whitcombe', email: 'amelia@example.test' },
      { firstName: 'Tom', email: 'tom@example.test' },
    ],
  });
  await pool.query("update case_searches set refund_rule = 'Not refunded once ordered.' where id = $1", [
    built.caseSearchId,
  ]);
  const { client_secret, payment_id } = await startSearchPayment(world.dependencies, {
    clientId: built.clientId,
    caseSearchId: built.caseSearchId,
    confirmed: { ...ownCard, ...confirmed },
    idempotencyKey: undefined,
  });
  await world.intents.confirm(intentOf(client_secret), sandboxCard());
  await syncPaymentFromProvider(world.dependencies, intentOf(client_secret), { name: 'test' });
  const documents = async () =>
    (await pool.query('select * from documents where reference = $1', [`desk-${payment_id}`])).rows;
  const toOrder = async () =>
    (
      await database.execute(
        sql`select name from (${itemsOf.search_to_order(foundAt(new Date()))}) item where case_id = ${built.id}`,
      )
    ).rows;
  return { ...world, ...built, paymentId: payment_id, documents, toOrder };
}

const fileRequests = (factSheetPrinter: FactSheetPrinter = printer) =>
  runQueuedJobs(
    testDatabase.pool,
    'file-order-request',
    orderRequestHandler({
      database: testDatabase.database,
      files,
      factSheetPrinter,
      clock: () => new Date(),
    }).work,
  );

async function sendRequests(): Promise<Mail[]> {
  const sent: Mail[] = [];
  const handler = orderRequestMailHandler({
    database: testDatabase.database,
    files,
    mailer: {
      send: async (mail) => {
        sent.push(mail);
        return 'id';
      },
    },
    alertOperator: () => {},
  });
  await runQueuedJobs(testDatabase.pool, 'send-order-request', handler.work);
  return sent;
}

test('a request to order is filed once as a document, and says who asked, when, for what and in which words', async () => {
  const { paymentId, clientId, documents } = await paySearch();
  expect(await fileRequests()).toBe(1);
  const [document] = await documents();
  expect(document).toMatchObject({
    group: 'client-care',
    title: 'Request to order: Local authority search',
    uploaded_by: 'Amelia Whitcombe',
    media_type: 'application/pdf',
    signing: null,
  });
  const audited = await testDatabase.pool.query(
    "select actor_kind, after from audit_entries where action = 'document.request_filed' and subject_id = $1",
    [document.id],
  );
  expect(audited.rows).toEqual([
    { actor_kind: 'system', after: { payment: paymentId, sha256: document.sha256 } },
  ]);
  const read = await testDatabase.pool.query('select client_id from document_reads where document_id = $1', [
    document.id,
  ]);
  expect(read.rows).toEqual([{ client_id: clientId }]);
  const content = await files.read(document.sha256, document.size);
  const { pages } = await readPdf(content as Buffer);
  const text = pages.join(' ');
  for (const expected of [
    'Amelia Whitcombe asked',
    '“Please order this search now, even if my cancellation period is still running.',
    'Not refunded once ordered.”',
    'Requested on',
    '2026-12-unknown',
  ])
    expect(text.replaceAll(/\s+/g, ' ')).toContain(expected);
  const { work } = orderRequestHandler({
    database: testDatabase.database,
    files,
    factSheetPrinter: printer,
    clock: () => new Date(),
  });
  await work({ paymentId });
  expect(await documents()).toHaveLength(1);
  expect(await sendRequests()).toHaveLength(1);
});

test('the request to order is emailed to the client who made it, and not to the address of the receipt', async () => {
  await paySearch({ receipt_email: 'grace@example.test' });
  await fileRequests();
  const [mail, ...others] = await sendRequests();
  expect(others).toEqual([]);
  expect(mail?.to).toEqual({ name: 'Amelia Whitcombe', address: 'amelia@example.test' });
  expect(mail?.paragraphs.join('\n')).toMatch(/“Please order this search now.*Not refunded once ordered\.”/);
  expect(mail?.attachments?.[0]?.content.subarray(0, 5).toString()).toBe('%PDF-');
  expect(mail?.action).toBeUndefined();
});

test('a search is to be ordered once the request is filed, or 15 minutes after the payment', async () => {
  await storeRule('at_once');
  const { toOrder, paymentId } = await paySearch();
  expect(await toOrder()).toEqual([]);
  await testDatabase.pool.query(
    "update payments set paid_at = paid_at - interval '16 minutes' where id = $1",
    [paymentId],
  );
  expect(await toOrder()).toHaveLength(1);
  await testDatabase.pool.query('update payments set paid_at = now() where id = $1', [paymentId]);
  expect(await toOrder()).toEqual([]);
  await fileRequests();
  expect(await toOrder()).toEqual([{ name: 'Local authority search' }]);
});

test('a request to order of a payment that a server of the last release recorded is filed within the hour', async () => {
  const { documents } = await paySearch();
  await testDatabase.pool.query('delete from graphile_worker._private_jobs');
  const [now, hour] = [Date.now(), 3_600_000];
  await queueUnfiledRequests(testDatabase.database, {
    paidSince: new Date(now - hour),
    paidBefore: new Date(now + hour),
  });
  expect(await fileRequests()).toBe(1);
  expect(await documents()).toHaveLength(1);
});

test('a firm that orders once the money has cleared has nothing to order before', async () => {
  const { toOrder, paymentId } = await paySearch();
  await fileRequests();
  await storeRule('cleared');
  expect(await toOrder()).toEqual([]);
  await testDatabase.pool.query('update payments set cleared_at = now() where id = $1', [paymentId]);
  expect(await toOrder()).toEqual([{ name: 'Local authority search' }]);
});

test('the order of a refunded search does not wait for its money to clear', async () => {
  const { toOrder, paymentId } = await paySearch();
  await fileRequests();
  await storeRule('cleared');
  await testDatabase.pool.query(
    "update payments set status = 'refunded', refunded_amount = amount where id = $1",
    [paymentId],
  );
  expect(await toOrder()).toHaveLength(1);
});
