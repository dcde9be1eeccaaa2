import { createImportDependencies, createTestFiles, withTestDatabase } from '@keyturn/testkit';
import { fixtureFeed } from '@keyturn/testkit/fixture-feed.ts';
import { afterAll, expect, test } from 'vitest';
import { importFeed } from '../../../doors/import/import-feed.ts';
import { runTransaction } from '../../../platform/run-transaction.ts';
import { eraseCase, eraseClient } from './erase.ts';

const testDatabase = withTestDatabase();
const files = createTestFiles();
afterAll(() => files.drop());

const { format, as_of, firm, clients, cases } = fixtureFeed;
const importing = (feed: object) =>
  importFeed(createImportDependencies({ database: testDatabase.database, files }), {
    feed: { format, as_of, firm, ...feed },
    folder: '/',
    as: 'real',
    actor: { kind: 'command_line', id: null, name: 'rhian' },
  });

test('a feed that sends an erased client or case again gets the date of the erasure, and nothing is added', async () => {
  const { pool, database } = testDatabase;
  expect((await importing({ clients, cases })).rejected).toEqual([]);
  const [client] = (await pool.query('select id from clients')).rows;
  const [found] = (await pool.query('select id from conveyancing_cases')).rows;
  const order = {
    at: new Date('2026-11-23T12:00:00Z'),
    by: { actor: { kind: 'command_line', id: null, name: 'rhian' } },
    basis: 'request',
    earlyReason: null,
  } as const;
  await runTransaction(database, async (transaction) => {
    await eraseCase(transaction, found.id, order);
    await eraseClient(transaction, client.id, order);
  });

  const { rejected } = await importing({ clients, cases });
  const reason = (erasure: number) =>
    expect.stringMatching(`^was erased on .*23 November.* \\(erasure ${erasure}\\) and is not added again`);
  expect(rejected).toMatchObject([
    { place: '/clients/0/reference', reason: reason(2) },
    { place: '/cases/0/reference', reason: reason(1) },
  ]);
  const again = await importing({
    clients: [{ ...clients[0], reference: 'C2' }],
    cases: [{ ...cases[0], clients: ['C2'] }],
  });
  expect(again.rejected).toMatchObject([{ place: '/cases/0/reference', reason: reason(1) }]);
  expect((await pool.query('select reference from clients')).rows).toEqual([{ reference: 'C2' }]);
  expect((await pool.query('select id from conveyancing_cases')).rows).toEqual([]);
});
