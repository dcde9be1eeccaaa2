import type { CaseSearch, Payment } from '@keyturn/contract';
import { expect } from 'vitest';
import type { RollingFirm } from './start-firm.ts';
import type { FirmActivity, Load } from './start-load.ts';

/** Expects that no request of a client failed, and that each of their actions is recorded once. Call it after the load. */
export async function expectNothingLost(
  firm: RollingFirm,
  { activities, firm: office }: Load,
): Promise<void> {
  await firm.finishWebhooks();
  const failed = [...activities, office].flatMap((activity) => activity.failed);
  const failures = firm.dashboards.flatMap(({ dashboard }) => dashboard.failures);
  expect({ failed, failures, broken: firm.proxy.broken }).toEqual({ failed: [], failures: [], broken: [] });
  await expectOfficeWork(firm, office);
  await expectPayments(
    firm,
    activities.flatMap(({ paid }) => paid),
  );
  await expectSignatures(
    firm,
    activities.flatMap(({ signed }) => signed),
  );
  await expectEvents(firm);
  const lines = firm.outputs().flatMap((output) => output.split('\n'));
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.filter((line) => /"level":(50|60)\b/.test(line))).toEqual([]);
}

/** Expects that every payment that succeeded at the provider is recorded as successful, once and with its amount. */
async function expectPayments({ pool, simulator }: RollingFirm, paid: string[]): Promise<void> {
  const taken = simulator.intents.all().filter(({ status }) => status === 'succeeded');
  const { rows } = await pool.query(
    `select p.case_search_id as search, p.provider_intent_id as intent, p.amount,
       (select sum(money)::int from payment_changes where payment_id = p.id) as money
     from payments p where p.status = 'succeeded' and p.provider_intent_id = any($1)`,
    [simulator.intents.all().map(({ id }) => id)],
  );
  const sorted = (values: string[]) => values.toSorted();
  expect(sorted(rows.map(({ intent }) => intent))).toEqual(sorted(taken.map(({ id }) => id)));
  expect(sorted(rows.map(({ search }) => search))).toEqual(sorted(paid));
  expect(rows.filter(({ amount, money }) => amount !== money)).toEqual([]);
}

async function expectOfficeWork(
  { pool, office }: RollingFirm,
  { shared, titles }: FirmActivity,
): Promise<void> {
  const documents = await pool.query('select id from documents where id = any($1)', [shared]);
  expect(documents.rowCount).toBe(shared.length);
  const { rows } = await pool.query('select title from conveyancing_cases where id = $1', [office.case.id]);
  expect(rows[0].title).toBe(titles.at(-1));
}

async function expectSignatures({ pool }: RollingFirm, signed: string[]): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    'select document_id as id from document_signatures where document_id = any($1)',
    [signed],
  );
  expect(rows.map(({ id }) => id).toSorted()).toEqual(signed.toSorted());
}

/**
 * Expects that each client received every committed event that concerns them, or fetched the case after the commit. Also
 * expects that every screen shows the current state.
 */
async function expectEvents({ pool, dashboards }: RollingFirm): Promise<void> {
  for (const { dashboard } of dashboards) {
    const { rows } = await pool.query('select id::int, event from broadcast_events where channel = any($1)', [
      dashboard.channels,
    ]);
    expect(rows.length).toBeGreaterThan(0);
    const unknown = () => rows.filter((event) => !dashboard.knows(event));
    await expect.poll(unknown, { timeout: 60_000 }).toEqual([]);
    const { call, shown } = dashboard;
    const searches = statusesOf(await call('GET /case-searches', {}));
    await expect.poll(() => statusesOf(shown('caseSearches'))).toEqual(searches);
    const payments = statusesOf(await call('GET /payments', {}));
    await expect.poll(() => statusesOf(shown('payments'))).toEqual(payments);
    const documents = await call('GET /documents', {});
    await expect.poll(() => shown('documents')).toEqual(documents);
  }
}

/** Keeps only what events announce: other fields, such as when the receipt was emailed, change without one. */
const statusesOf = (records: unknown) =>
  (records as (CaseSearch | Payment)[]).map(({ id, status }) => ({ id, status }));
