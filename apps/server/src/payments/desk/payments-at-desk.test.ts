import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  buildCase,
  buildPayment,
  createPaymentWorld,
  type PaymentWorld,
  sandboxCard,
  startTestPayment,
  withTestDatabase,
} from '@keyturn/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paymentDeskHandlers } from '../../doors/staff/payment-routes.ts';
import { openSession, serveStaff } from '../../testing/serve-staff.ts';
import { findExportProfile } from '../accounts/exports/find-profile.ts';
import { runLedger } from '../accounts/ledger-command.ts';
import { syncPaymentFromProvider } from '../intents/sync-payment.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { createStoredReceipts } from '../receipts/stored-receipts.ts';
import { checkPaymentsHandler } from '../reconciliation/check-payments-job.ts';

const stored = withTestDatabase();
let world: PaymentWorld;
let dependencies: PaymentDependencies;
let desk: Awaited<ReturnType<typeof serveStaff>>;
const open = (role: 'handler' | 'finance' | 'admin') => openSession(stored, desk, { role });
type Caller = Awaited<ReturnType<typeof open>>;
let finance: Caller;
let handler: Caller;

beforeAll(async () => {
  world = createPaymentWorld(stored);
  dependencies = world.dependencies;
  const { database, clock, alertOperator } = dependencies;
  const receipts = createStoredReceipts({
    database,
    clock,
    alertOperator,
    files: {
      put: () => Promise.reject(new Error('not needed')),
      read: () => Promise.reject(new Error('not needed')),
    },
    printer: { print: () => Promise.reject(new Error('not needed')) },
  });
  desk = await serveStaff(stored, {
    handlers: () => paymentDeskHandlers({ ...dependencies, receipts, isKeyRejected: () => true }),
  });
  [finance, handler] = [await open('finance'), await open('handler')];
});
afterAll(() => desk.app.close());

const list = async (query: Record<string, string | number>, caller: Caller = handler) => {
  const answer = await caller.call(
    'GET',
    `/payments?${new URLSearchParams(query as Record<string, string>)}`,
  );
  expect(answer.status, answer.message).toBe(200);
  return answer.data as {
    payments: { id: string; receipt_number: string | null }[];
    next_cursor: string | null;
  };
};
const idsOf = async (query: Record<string, string | number>) =>
  (await list(query)).payments.map(({ id }) => id);

test('pages through 1,000 payments without repeating or leaving out one while new payments arrive', async () => {
  const { id: caseId, clientId } = await buildCase(stored.database);
  // Some have the same microsecond, so that only the id distinguishes them.
  const insert = (count: number, start: string) =>
    stored.pool.query(
      `insert into payments (id, case_id, client_id, kind, status, amount, description, category, lines, provider,
         provider_idempotency_key, last_cause, created_at)
       select gen_random_uuid(), $1, $2, 'other', 'requires_payment_method', 1000, 'Test', 'other', '[]', 'sandbox',
         gen_random_uuid()::text, 'test', $3::timestamptz + (n / 3) * interval '1 microsecond'
       from generate_series(1, $4) n returning id`,
      [caseId, clientId, start, count],
    );
  const first = (await insert(1_000, '2026-10-01T09:00:00.000123Z')).rows.map(({ id }) => id);
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await list({ case: caseId, limit: 150, ...(cursor ? { cursor } : {}) });
    seen.push(...page.payments.map(({ id }) => id));
    cursor = page.next_cursor;
    await insert(2, '2026-10-02T09:00:00Z');
  } while (cursor);
  expect(seen).toHaveLength(1_000);
  expect(new Set(seen)).toEqual(new Set(first));
  expect(await handler.call('GET', '/payments?cursor=1.nonsense')).toMatchObject({ status: 422 });
});

test('filters payments by state, purpose, method, account, day, amount, case and payer', async () => {
  const built = await buildCase(stored.database, {
    clients: [{ firstName: 'Winifred', lastName: 'Marsden' }],
  });
  const { id: caseId, clientId } = built;
  const build = (change: object) =>
    buildPayment(stored.database, { caseId, clientId, amount: 1_234, ...change }).then(({ id }) => id);
  const paid = await build({ status: 'succeeded', paidAt: new Date(), receiptNumber: 'R-2031-000777' });
  const bill = await build({ method: 'bank', category: 'legal_fees', provider: 'stripe_business' });
  // 23:30 UTC on 30 June is 00:30 on 1 July in London.
  const summer = await build({ amount: 99_000, createdAt: new Date('2026-06-30T23:30:00Z') });
  const inCase = (query: Record<string, string | number>) => idsOf({ case: caseId, ...query });
  expect(await inCase({ state: 'succeeded' })).toEqual([paid]);
  expect(new Set(await inCase({ state: 'open' }))).toEqual(new Set([bill, summer]));
  expect(await inCase({ purpose: 'legal_fees' })).toEqual([bill]);
  expect(await inCase({ method: 'bank' })).toEqual([bill]);
  expect(await inCase({ account: 'business' })).toEqual([bill]);
  expect(await inCase({ from: '2026-07-01', to: '2026-07-01' })).toEqual([summer]);
  expect(await inCase({ from: '2026-06-30', to: '2026-06-30' })).toEqual([]);
  expect(await inCase({ min_amount: 1_235 })).toEqual([summer]);
  expect(new Set(await inCase({ max_amount: 1_234 }))).toEqual(new Set([paid, bill]));
  expect(await idsOf({ payer: clientId })).toHaveLength(3);
  expect(await idsOf({ case: built.reference })).toHaveLength(3);
  expect(await idsOf({ search: '2031-000777' })).toEqual([paid]);
  expect(await idsOf({ search: 'winifred marsden' })).toHaveLength(3);
  expect(await idsOf({ search: summer })).toEqual([summer]);
  // A wildcard is treated as an ordinary character.
  expect(await idsOf({ search: '%' })).toEqual([]);
  await stored.pool.query("update payments set review_reason = 'the amount is 1' where id = $1", [paid]);
  expect(await inCase({ state: 'under_review' })).toEqual([paid]);
  const page = await handler.call('GET', `/payments/${paid}`);
  expect(page.data).toMatchObject({ payer: { name: 'Winifred Marsden' }, review_reason: 'the amount is 1' });
  expect(await handler.call('GET', `/payments/${randomUUID()}`)).toMatchObject({ status: 404 });
  expect(await handler.call('GET', '/payments?from=2026-02-30')).toMatchObject({ status: 422 });
});

test('finance closes a review, a decision that does not fit says why, and handlers may not decide', async () => {
  const { clientId, caseSearchId } = await buildCase(stored.database);
  const { paymentId, intentId } = await startTestPayment(dependencies, { clientId, caseSearchId });
  await stored.pool.query('update sandbox_intents set amount = amount - 1 where id = $1', [intentId]);
  await world.intents.confirm(intentId, sandboxCard());
  await syncPaymentFromProvider(dependencies, intentId, { name: 'test' });
  const decide = (caller: Caller, decision: string) =>
    caller.call('POST', `/payments/${paymentId}/review`, { decision });
  expect(await decide(handler, 'sync')).toMatchObject({ status: 403 });
  const refused = await decide(finance, 'paid');
  expect(refused).toMatchObject({ status: 409, code: 'review_still_open' });
  expect(refused.message).toMatch(/The provider captured/);
  await stored.pool.query('update sandbox_intents set amount = amount + 1 where id = $1', [intentId]);
  expect((await decide(finance, 'sync')).data).toMatchObject({ status: 'succeeded', review_reason: null });
});

test('the ledger’s CSV has the same bytes as the command’s, and its download is audited', async () => {
  const { clientId, caseSearchId } = await buildCase(stored.database, {
    clients: [{ firstName: '=HYPERLINK("x")', lastName: 'Ash' }],
  });
  const { intentId } = await startTestPayment(dependencies, { clientId, caseSearchId });
  await world.intents.confirm(intentId, sandboxCard());
  await syncPaymentFromProvider(dependencies, intentId, { name: 'test' });
  expect(await finance.call('POST', '/ledger/fetch')).toMatchObject({ status: 204 });
  const folder = await mkdtemp(join(tmpdir(), 'keyturn-ledger-'));
  const file = join(folder, 'ledger.csv');
  const period = { from: '2026-01-01', to: '2099-12-31' };
  await runLedger(dependencies, { name: 'ledger', ...period, csv: file }, () => {});
  const written = await readFile(file, 'utf8');
  await rm(folder, { recursive: true });
  const answer = await finance.call('GET', `/ledger/csv?${new URLSearchParams(period)}`);
  expect(answer.text).toBe(written);
  expect(written).toContain(`"'=HYPERLINK(""x"") Ash"`);
  expect(answer.headers).toMatchObject({
    'content-disposition': 'attachment; filename="Online payments 2026-01-01 to 2099-12-31.csv"',
    'content-type': 'text/csv; charset=utf-8',
  });
  const { rows } = await stored.pool.query(
    "select action, after from audit_entries where actor_id = $1 and action = 'payment.ledger_exported'",
    [finance.id],
  );
  expect(rows).toEqual([{ action: 'payment.ledger_exported', after: { ...period, profile: 'Movements' } }]);
  const { data } = await finance.call('GET', `/ledger?${new URLSearchParams(period)}`);
  expect(data.purposes).toEqual(
    expect.arrayContaining([expect.objectContaining({ account: 'client', purpose: 'search' })]),
  );
  expect(data.movements).toBe(written.trim().split('\r\n').length - 1);
  const unknown = await finance.call(
    'GET',
    `/ledger/csv?${new URLSearchParams({ ...period, profile: 'Gone' })}`,
  );
  expect(unknown).toMatchObject({ status: 422, code: 'invalid_input' });
  const backwards = await finance.call('GET', '/ledger?from=2026-02-01&to=2026-01-01');
  expect(backwards).toMatchObject({ status: 422, code: 'invalid_input' });
  expect(await handler.call('GET', `/ledger/csv?${new URLSearchParams(period)}`)).toMatchObject({
    status: 403,
  });
});

test('finance previews the latest movements in a format that is not stored, and handlers cannot', async () => {
  const { clientId, caseSearchId } = await buildCase(stored.database, {
    clients: [{ lastName: 'Previewed' }],
  });
  const { intentId } = await startTestPayment(dependencies, { clientId, caseSearchId });
  await world.intents.confirm(intentId, sandboxCard());
  await syncPaymentFromProvider(dependencies, intentId, { name: 'test' });
  await finance.call('POST', '/ledger/fetch');
  const { profile } = await findExportProfile(stored.database, undefined);
  const columns = [
    { heading: 'Client', field: 'client', text: null },
    { heading: 'System', field: 'fixed_text', text: 'KEYTURN' },
  ];
  const preview = (caller: Caller) =>
    caller.call('POST', '/ledger/preview', { profile: { ...profile, name: 'Mine', columns } });
  const { data } = await preview(finance);
  expect(data.headings).toEqual(['Client', 'System']);
  expect(data.rows.length).toBeLessThanOrEqual(10);
  expect(data.rows.at(-1)).toEqual([expect.stringContaining('Previewed'), 'KEYTURN']);
  expect(await preview(handler)).toMatchObject({ status: 403 });
  expect((await finance.call('GET', `/ledger/csv?from=2026-01-01&to=2099-12-31&profile=Mine`)).status).toBe(
    422,
  );
});

test('the desk shows the latest reconciliation with its fixes, and starts one', async () => {
  expect((await finance.call('GET', '/payment-check')).data).toBeNull();
  const { id: caseId, clientId } = await buildCase(stored.database);
  const { id } = await buildPayment(stored.database, {
    caseId,
    clientId,
    status: 'succeeded',
    paidAt: new Date(),
  });
  await checkPaymentsHandler(dependencies, { recheckDelay: 0 }).work({});
  const { data } = await finance.call('GET', '/payment-check');
  expect(data.discrepancies).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        kind: 'paid_without_receipt',
        subject: id,
        fix: expect.stringMatching(/^find out/),
      }),
    ]),
  );
  await finance.call('POST', '/payment-check');
  await finance.call('POST', '/payment-check');
  const { rows } = await stored.pool.query(
    "select count(*)::int as jobs from graphile_worker.jobs where task_identifier = 'check-payments'",
  );
  expect(rows).toEqual([{ jobs: 1 }]);
});

test('a payment link is emailed once for each request, and its audit entry names the member', async () => {
  const built = await buildCase(stored.database);
  const { rows: searches } = await stored.pool.query('select reference from case_searches where id = $1', [
    built.caseSearchId,
  ]);
  const [{ reference }] = searches;
  const send = (body: object) => handler.call('POST', '/payment-links', { key: 'request-1', ...body });
  expect((await send({ search: reference })).data).toMatchObject([{ outcome: 'sent' }]);
  expect((await send({ search: reference })).data).toMatchObject([{ outcome: 'sent_before' }]);
  expect(await send({ search: 'UNKNOWN' })).toMatchObject({ status: 409, code: 'link_not_possible' });
  expect(await send({ search: reference, bill: 'B-1' })).toMatchObject({ status: 409 });
  const { rows } = await stored.pool.query(
    'select actor_id, action from audit_entries where subject_id = $1',
    [reference],
  );
  expect(rows).toEqual(Array(2).fill({ actor_id: handler.id, action: 'payment.link_requested' }));
});

test('a rejected key is a notice with what to do', async () => {
  expect((await handler.call('GET', '/payment-notices')).data).toEqual([
    expect.objectContaining({
      kind: 'key_rejected',
      to_do: expect.stringContaining('correct the provider’s key'),
    }),
  ]);
});
