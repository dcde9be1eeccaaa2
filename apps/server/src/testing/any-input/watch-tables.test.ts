import { buildCase, withTestDatabase } from '@keyturn/testkit';
import { expect, test } from 'vitest';
import { watchTables } from './watch-tables.ts';

const stored = withTestDatabase();

test('watchTables reports each row that is added, changed or removed, once', async () => {
  const { id } = await buildCase(stored.database, { tasks: [{}] });
  const { pool } = stored;
  const watched = await watchTables(pool);
  await pool.query('update tasks set title = title');
  expect(await watched.take()).toEqual([]);
  await pool.query(`update tasks set title = 'Another', position = position + 1 where case_id = $1`, [id]);
  const [change] = (await watched.take()).filter(({ table }) => table === 'public.tasks');
  expect(change).toMatchObject({ operation: 'UPDATE', ids: expect.arrayContaining([id]) });
  expect(change?.columns).toEqual(expect.arrayContaining(['title', 'position']));
  await pool.query('delete from tasks where case_id = $1', [id]);
  expect(await watched.take()).toContainEqual({
    table: 'public.tasks',
    operation: 'DELETE',
    columns: [],
    ids: expect.arrayContaining([id]),
    transaction: expect.any(String),
  });
  expect(await watched.take()).toEqual([]);
});
