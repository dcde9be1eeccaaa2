import {
  buildCase,
  buildDocument,
  buildHistoryEntry,
  buildPayment,
  createTestDatabase,
  type TestDatabase,
} from '@keyturn/testkit';
import { eq } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runWithSocketId } from '../../platform/request-socket.ts';
import * as tables from '../../platform/tables.ts';

let testDatabase: TestDatabase;
let built: Awaited<ReturnType<typeof buildCase>>;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  built = await buildCase(testDatabase.database, {
    clients: [{}, {}],
    tasks: [{}],
    matters: [{ milestones: [{ status: 'current' }], searches: [{}], documents: [{}] }],
  });
});
afterAll(() => testDatabase.drop());
beforeEach(async () => {
  await testDatabase.pool.query('delete from broadcast_events');
});

const told = async () =>
  (
    await testDatabase.pool.query<{ channel: string; event: string; ids: string[] }>(
      'select channel, event, ids from broadcast_events order by id',
    )
  ).rows;
const onCase = (event: string, ids: string[]) => ({ channel: `private-case.${built.id}`, event, ids });
const change = (sql: string, values: unknown[] = []) => testDatabase.pool.query(sql, values);

describe('a change that commits is told of', () => {
  test.each([
    [
      'the case',
      'update conveyancing_cases set title = $2 where id = $1',
      () => built.id,
      'CaseUpdated',
      false,
    ],
    ['a matter', 'update matters set status = $2 where id = $1', () => built.matterId, 'CaseUpdated', false],
    [
      'a search',
      'update case_searches set supplier = $2 where id = $1',
      () => built.caseSearchId,
      'CaseSearchUpdated',
      true,
    ],
    ['a task', 'update tasks set title = $2 where id = $1', () => built.taskIds[0], 'TaskUpdated', true],
  ] as const)('of %s, on the channel of its case', async (_what, sql, idOf, event, isNamed) => {
    const id = idOf() as string;
    await change(sql, [id, 'on_hold']);
    expect(await told()).toEqual([onCase(event, isNamed ? [id] : [])]);
  });

  test('of a milestone that is planned anew as news of the case, and of one that is reached by its name', async () => {
    const { rows } = await change('select id from milestones where matter_id = $1', [built.matterId]);
    await change('update milestones set waiting_for = $2 where matter_id = $1', [built.matterId, 'the bank']);
    expect(await told()).toEqual([onCase('CaseUpdated', [])]);
    await change("update milestones set status = 'done' where matter_id = $1", [built.matterId]);
    expect(await told()).toContainEqual(onCase('MilestoneReached', [rows[0].id]));
  });

  test('of a step that is taken away as news of the case, whatever it was', async () => {
    const more = await buildCase(testDatabase.database, {
      matters: [{ milestones: [{ status: 'current' }, { status: 'done' }] }],
    });
    for (const status of ['current', 'done']) {
      await change('delete from broadcast_events');
      const { rowCount } = await change('delete from milestones where matter_id = $1 and status = $2', [
        more.matterId,
        status,
      ]);
      expect(rowCount).toBe(1);
      expect(await told()).toEqual([{ channel: `private-case.${more.id}`, event: 'CaseUpdated', ids: [] }]);
    }
  });

  test('of a new document, history entry and payment', async () => {
    const document = await buildDocument(testDatabase.database, { matterId: built.matterId });
    const entry = await buildHistoryEntry(testDatabase.database, { caseId: built.id });
    const payment = await buildPayment(testDatabase.database, {
      caseId: built.id,
      clientId: built.clientId,
      caseSearchId: built.caseSearchId,
    });
    expect(await told()).toEqual([
      onCase('DocumentShared', [document.id]),
      onCase('HistoryRecorded', [entry.id]),
      onCase('PaymentUpdated', [payment.id]),
    ]);
    await change('delete from broadcast_events');
    await change("update payments set next_check_at = now() + interval '1 hour', updated_at = now()");
    expect(await told()).toEqual([]);
    await change("update payments set status = 'processing' where id = $1", [payment.id]);
    expect(await told()).toEqual([onCase('PaymentUpdated', [payment.id])]);
  });

  test('of maintenance to everybody', async () => {
    await change("insert into maintenance (area) values ('general')");
    await change("delete from maintenance where area = 'general'");
    expect(await told()).toEqual(
      Array.from({ length: 2 }, () => ({ channel: 'status', event: 'MaintenanceChanged', ids: [] })),
    );
  });

  test('of who may see the case to the client, and to the servers where it is taken away', async () => {
    const other = built.clientIds[1] as string;
    await change('delete from case_clients where client_id = $1', [other]);
    await change('insert into case_clients (case_id, client_id) values ($1, $2)', [built.id, other]);
    expect(await told()).toEqual([
      { channel: `private-client.${other}`, event: 'CaseUpdated', ids: [built.id] },
      { channel: '#access', event: 'ended', ids: [other] },
      { channel: `private-client.${other}`, event: 'CaseUpdated', ids: [built.id] },
    ]);
  });

  test('of the case that a client turns to, on their own channel', async () => {
    const { database } = testDatabase;
    await database
      .update(tables.clients)
      .set({ activeCaseId: built.id })
      .where(eq(tables.clients.id, built.clientId));
    expect(await told()).toEqual([
      { channel: `private-client.${built.clientId}`, event: 'CaseUpdated', ids: [] },
    ]);
    await database
      .update(tables.clients)
      .set({ passwordHash: 'another' })
      .where(eq(tables.clients.id, built.clientId));
    expect(await told()).toHaveLength(1);
  });

  test('of a session that is ended before its time, and of no other', async () => {
    const session = { clientId: built.clientId, expiresAt: new Date(Date.now() + 60_000) };
    const [first, second, third] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [
      Buffer,
      Buffer,
      Buffer,
    ];
    await testDatabase.database.insert(tables.sessions).values([
      { ...session, tokenHash: first },
      { ...session, tokenHash: second },
      { ...session, tokenHash: third, expiresAt: new Date(Date.now() - 60_000) },
    ]);
    await change('update sessions set last_used_at = now()');
    await change('update sessions set revoked_at = now() where token_hash = $1', [first]);
    await change('delete from sessions');
    expect((await told()).map(({ channel, ids }) => [channel, ...ids])).toEqual([
      ['#sessions', first.toString('hex')],
      ['#sessions', second.toString('hex')],
    ]);
  });
});

test('what is taken again as it was is not told of', async () => {
  await change('update case_searches set name = name, feed_hash = $1, updated_at = now()', [Buffer.alloc(4)]);
  expect(await told()).toEqual([]);
});

test('a transaction tells once of each kind, and names no more than fifty', async () => {
  const { database } = testDatabase;
  const tellOf = (count: number) =>
    database.transaction(async (transaction) => {
      for (let index = 0; index < count; index += 1) {
        await buildHistoryEntry(transaction, { caseId: built.id });
      }
    });
  await tellOf(50);
  await tellOf(51);
  const events = await told();
  expect(events.map(({ event, ids }) => [event, ids.length])).toEqual([
    ['HistoryRecorded', 50],
    ['HistoryRecorded', 0],
  ]);
});

test('servers hear of a transaction once, and only when it commits', async () => {
  const listener = new pg.Client({ connectionString: testDatabase.url });
  await listener.connect();
  const heard: string[] = [];
  listener.on('notification', ({ payload }) => heard.push(payload ?? ''));
  await listener.query('listen keyturn_broadcast');
  const { database } = testDatabase;
  const tell = (end: () => void) =>
    database.transaction(async (transaction) => {
      await buildHistoryEntry(transaction, { caseId: built.id });
      await transaction.update(tables.tasks).set({ title: `Renamed ${Math.random()}` });
      end();
    });
  await tell(() => {
    throw new Error('given up');
  }).catch(() => {});
  await tell(() => {});
  const { rows } = await change('select distinct transaction_id::text as id from broadcast_events');
  await expect.poll(() => heard).toEqual([rows[0].id]);
  await listener.end();
});

test('the connection whose request made the change is named, to be left out', async () => {
  const { database } = testDatabase;
  await runWithSocketId('123.456', () =>
    database.transaction((transaction) => buildHistoryEntry(transaction, { caseId: built.id })),
  );
  await database.transaction((transaction) => buildHistoryEntry(transaction, { caseId: built.id }));
  const { rows } = await change('select except_socket from broadcast_events order by id');
  expect(rows).toEqual([{ except_socket: '123.456' }, { except_socket: null }]);
});
