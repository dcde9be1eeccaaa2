import { createTestDatabase } from '@keyturn/testkit';
import { expect, test } from 'vitest';
import { storedPhone } from '../platform/phone-numbers.ts';
import { currentSchema, migrate, schemaUpTo } from './migrate.ts';
import { migrations } from './read-migrations.ts';

const number = migrations.findIndex(({ name }) => name === 'phone_numbers');

/** What earlier releases have stored, and what it becomes. */
const stored: [typed: string, migrated: string][] = [
  ['0117 496 0101', '+441174960101'],
  ['(01632) 960-123', '+441632960123'],
  ['07700\u00a0900123', '+447700900123'],
  ['+44 (0)117 496 0101', '+441174960101'],
  ['0044 7700 900123', '+447700900123'],
  ['447700900123', '+447700900123'],
  ['7700900123', '+447700900123'],
  ['+353 1 555 0123', '+35315550123'],
  // These stay as they were typed.
  ...[
    '1',
    'n/a 1',
    '',
    '999',
    '496 0101',
    '0117 496 010',
    '117496010.0',
    '7700900123.0',
    '0117 496 0101 ext 12',
    '0117 496 0101 or 07700 900123',
    '01174960101 07700900123',
    '+49 (0)30 901820',
    '4155552671',
    'javascript:alert(1)',
  ].map((typed): [string, string] => [typed, typed]),
];

test('the upgrade stores plain telephone numbers in E.164, keeps all others as typed, and notifies no subscribers', async () => {
  const { url, pool, drop } = await createTestDatabase();
  try {
    await pool.query('drop schema public cascade; create schema public');
    await migrate(url, { ...schemaUpTo(number), code: currentSchema.code });
    const typed = stored.map(([text]) => text);
    await pool.query(
      `insert into clients (id, reference, first_name, last_name, email, phone, former_phone, replaced_feed_phone, recent_phones)
       select gen_random_uuid(), place, 'A', 'B', place || '@example.test', typed, typed, typed, array[null, typed]
       from unnest($1::text[]) with ordinality as known (typed, place)`,
      [typed],
    );
    const handler = (phone: string) => ({ name: 'R', role: 'C', phone, email: 'r@example.test' });
    // Triggers of the current code name columns that later migrations add.
    await pool.query('alter table conveyancing_cases disable trigger user');
    await pool.query(
      `insert into conveyancing_cases (id, reference, title, status, handlers)
       values (gen_random_uuid(), 'K1', 'A case', 'active', $1)`,
      [JSON.stringify(typed.map(handler))],
    );
    await pool.query('alter table conveyancing_cases enable trigger user');
    await pool.query(`update installation set firm = $1`, [
      JSON.stringify({ name: 'A firm', phone: '0117 496 0101', closed_on: [] }),
    ]);
    const eventsBefore = await pool.query('select count(*) from broadcast_events');
    await migrate(url);
    const { rows } = await pool.query(
      'select phone, former_phone, replaced_feed_phone, recent_phones from clients order by reference::integer',
    );
    expect(rows).toEqual(
      stored.map(([, phone]) => ({
        phone,
        former_phone: phone,
        replaced_feed_phone: phone,
        recent_phones: [null, phone],
      })),
    );
    expect((await pool.query('select handlers from conveyancing_cases')).rows).toEqual([
      { handlers: stored.map(([, phone]) => handler(phone)) },
    ]);
    const { rows: firms } = await pool.query(
      "select firm ->> 'phone' as firm, shown_firm ->> 'phone' as shown from installation",
    );
    expect(firms).toEqual([{ firm: '+441174960101', shown: '+441174960101' }]);
    expect((await pool.query('select count(*) from broadcast_events')).rows).toEqual(eventsBefore.rows);
  } finally {
    await drop();
  }
});

test('the upgrade changes no telephone number to another one than a door would store', () => {
  for (const [typed, migrated] of stored) expect([typed, storedPhone(typed)], typed).toContain(migrated);
});
