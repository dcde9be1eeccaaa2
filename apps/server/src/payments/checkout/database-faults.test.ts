import { buildCase, createPaymentWorld, intentOf, ownCard, withTestDatabase } from '@keyturn/testkit';
import { expect, test } from 'vitest';
import { replaceMethod } from '../../adapters/postgres/replace-method.ts';
import type { Database } from '../../platform/database.ts';
import { isTemporaryFailure } from '../../platform/temporary-failure.ts';
import { startSearchPayment } from './start-search-payment.ts';

const testDatabase = withTestDatabase();

async function openWorld() {
  const { clientId, caseSearchId } = await buildCase(testDatabase.database);
  const request = { clientId, caseSearchId, confirmed: ownCard, idempotencyKey: undefined };
  const { dependencies } = createPaymentWorld(testDatabase);
  const stored = async () => {
    const payments = await testDatabase.pool.query(
      'select id, provider_intent_id as intent from payments where case_search_id = $1',
      [caseSearchId],
    );
    const intents = await testDatabase.pool.query(
      "select id from sandbox_intents where metadata ->> 'payment_id' = any($1::text[])",
      [payments.rows.map(({ id }) => id)],
    );
    return { payments: payments.rows, intents: intents.rows };
  };
  return { dependencies, request, stored };
}

/** Loses the answer to the commit of one transaction: the work is committed, and the caller gets an error. */
function losingAnswer(database: Database, lost: number): Database {
  let transactions = 0;
  const run = database.transaction.bind(database);
  return replaceMethod(database, 'transaction', async (...values: Parameters<typeof run>) => {
    const result = await run(...values);
    transactions += 1;
    if (transactions === lost) throw Object.assign(new Error('Connection terminated'), { code: '08006' });
    return result;
  });
}

test('fault 32: a payment whose commit was not answered is found by the next attempt, with one intent', async () => {
  let lost = 1;
  for (; ; lost += 1) {
    const { dependencies, request, stored } = await openWorld();
    const database = losingAnswer(dependencies.database, lost);
    const first = await startSearchPayment({ ...dependencies, database }, request).catch(
      (error: unknown) => error,
    );
    if (!(first instanceof Error)) break;
    expect(isTemporaryFailure(first)).toBe(true);
    expect((await stored()).payments).toHaveLength(1);
    const again = await startSearchPayment(dependencies, request);
    const { payments, intents } = await stored();
    const intent = intentOf(again.client_secret);
    expect(payments).toEqual([{ id: again.payment_id, intent }]);
    expect(intents).toEqual([{ id: intent }]);
  }
  expect(lost).toBeGreaterThan(1);
});

test('fault 35: no payment is started while the database cannot store it, and it can be once there is space', async () => {
  const { dependencies, request, stored } = await openWorld();
  await testDatabase.pool.query(`
    create function refuse_without_space() returns trigger language plpgsql as $$ begin
      raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$;
    create trigger refuse_without_space before insert on payments execute function refuse_without_space()`);
  try {
    const refused = await startSearchPayment(dependencies, request).catch((error: unknown) => error);
    expect(isTemporaryFailure(refused)).toBe(true);
    expect(await stored()).toEqual({ payments: [], intents: [] });
  } finally {
    await testDatabase.pool.query('drop function refuse_without_space cascade');
  }
  await startSearchPayment(dependencies, request);
  expect(await stored()).toMatchObject({ payments: [{}], intents: [{}] });
});
