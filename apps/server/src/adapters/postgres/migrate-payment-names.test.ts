import { createTestDatabase, type TestDatabase } from '@keyturn/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate, migrations } from './migrate.ts';

/** The schema before migration 13, with a cancelled and an open payment for the same search. */
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query('drop schema public cascade; create schema public');
  await migrate(database.url, migrations.slice(0, 12));
  await database.pool.query(`
    insert into conveyancing_cases (id, reference, title, status, handlers)
      values ('00000000-0000-4000-8000-000000000001', 'C-1', 'Purchase', 'active', '[]');
    insert into clients (id, reference, title, first_name, last_name, email, phone)
      values ('00000000-0000-4000-8000-000000000002', 'P-1', 'Ms', 'Amelia', 'Okafor', 'a@example.test', '');
    insert into matters (id, case_id, reference, matter_type, status, property, parties, position)
      values ('00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000001', 'M-1', 'purchase',
        'active', '{}', '[]', 0);
    insert into case_searches (id, matter_id, reference, code, name, supplier, explanation, refund_rule, required_by,
        status, price_net, price_vat_rate, price_vat, price_gross, position)
      values ('00000000-0000-4000-8000-000000000004', '00000000-0000-4000-8000-000000000003', 'S-1', 'LLC1', 'Search',
        'Council', '', '', 'firm', 'awaiting_payment', 100, 0, 0, 100, 0);`);
  for (const [id, address] of [
    [cancelled, '203.0.113.9'],
    [open, '203.0.113.10'],
  ]) {
    await database.pool.query(
      `insert into payments (id, case_id, client_id, kind, status, amount, description, category, matter_id,
         case_search_id, lines, provider, provider_idempotency_key, last_cause, taken_by, taken_from, own_card)
       values ($1, '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002', 'search',
         'requires_payment_method', 100, 'Search', 'search', '00000000-0000-4000-8000-000000000003',
         '00000000-0000-4000-8000-000000000004', '[]', 'sandbox', gen_random_uuid()::text, 'payment_started',
         '00000000-0000-4000-8000-000000000002', $2, true)`,
      [id, address],
    );
    if (id === cancelled) {
      await database.pool.query(
        "update payments set status = 'canceled', last_cause = 'expired' where id = $1",
        [id],
      );
    }
  }
});
afterAll(() => database.drop());

const cancelled = '00000000-0000-4000-8000-00000000000a';
const open = '00000000-0000-4000-8000-00000000000b';

test('migration 13 renames the status “canceled” and columns of payments, in the audit trail too, and keeps every constraint', async () => {
  const query = async (sql: string, ...values: string[]) => (await database.pool.query(sql, values)).rows;
  const eventsBefore = await query('select count(*) from broadcast_events');
  await migrate(database.url);

  expect(await query('select id, status, last_payer_address from payments order by id')).toEqual([
    { id: cancelled, status: 'cancelled', last_payer_address: '203.0.113.9' },
    { id: open, status: 'requires_payment_method', last_payer_address: '203.0.113.10' },
  ]);
  expect(
    await query(
      'select from_status, to_status from payment_changes where payment_id = $1 order by id',
      cancelled,
    ),
  ).toEqual([
    { from_status: null, to_status: 'requires_payment_method' },
    { from_status: 'requires_payment_method', to_status: 'cancelled' },
  ]);
  expect(await query('select count(*) from broadcast_events')).toEqual(eventsBefore);

  await expect(query("update payments set status = 'canceled' where id = $1", open)).rejects.toMatchObject({
    constraint: 'payment_transitions',
  });
  await expect(
    query("update payments set status = 'succeeded' where id = $1", cancelled),
  ).rejects.toMatchObject({ constraint: 'payment_transitions' });
  await expect(query("update payment_changes set cause = 'x'")).rejects.toThrow('append-only');
  await query("update payments set status = 'cancelled', last_cause = 'expired' where id = $1", open);
  const [last] = await query('select to_status, cause from payment_changes order by id desc limit 1');
  expect(last).toEqual({ to_status: 'cancelled', cause: 'expired' });
});
