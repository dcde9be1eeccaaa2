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
import { newId } from '../../platform/ids.ts';
import { runWithSocketId } from '../../platform/request-socket.ts';
import * as tables from '../../schema/tables/tables.ts';

let testDatabase: TestDatabase;
let fixture: Awaited<ReturnType<typeof buildCase>>;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  fixture = await buildCase(testDatabase.database, {
    clients: [{}, {}],
    tasks: [{}],
    matters: [{ milestones: [{ status: 'current' }], searches: [{}], documents: [{}] }],
  });
});
afterAll(() => testDatabase.drop());
beforeEach(async () => {
  await testDatabase.pool.query('delete from broadcast_events');
});

const recordedEvents = async () =>
  (
    await testDatabase.pool.query<{ channel: string; event: string; ids: string[] }>(
      'select channel, event, ids from broadcast_events order by id',
    )
  ).rows;
const caseEvent = (event: string, ids: string[]) => ({ channel: `private-case.${fixture.id}`, event, ids });
const execute = (sql: string, values: unknown[] = []) => testDatabase.pool.query(sql, values);

describe('broadcast events', () => {
  test.each([
    [
      'the case',
      'update conveyancing_cases set title = $2 where id = $1',
      () => fixture.id,
      'CaseUpdated',
      false,
    ],
    [
      'a matter',
      'update matters set status = $2 where id = $1',
      () => fixture.matterId,
      'CaseUpdated',
      false,
    ],
    [
      'a search',
      'update case_searches set supplier = $2 where id = $1',
      () => fixture.caseSearchId,
      'CaseSearchUpdated',
      true,
    ],
    ['a task', 'update tasks set title = $2 where id = $1', () => fixture.taskIds[0], 'TaskUpdated', true],
  ] as const)(
    'a change of %s records an event for the channel of its case',
    async (_row, sql, getId, event, hasId) => {
      const id = getId() as string;
      await execute(sql, [id, 'on_hold']);
      expect(await recordedEvents()).toEqual([caseEvent(event, hasId ? [id] : [])]);
    },
  );

  test('a changed milestone records an update of the case, a reached one also its own event', async () => {
    const { rows } = await execute('select id from milestones where matter_id = $1', [fixture.matterId]);
    await execute('update milestones set waiting_for = $2 where matter_id = $1', [
      fixture.matterId,
      'the bank',
    ]);
    expect(await recordedEvents()).toEqual([caseEvent('CaseUpdated', [])]);
    await execute("update milestones set status = 'done' where matter_id = $1", [fixture.matterId]);
    expect(await recordedEvents()).toContainEqual(caseEvent('MilestoneReached', [rows[0].id]));
  });

  test('a deleted milestone records an update of the case, regardless of its status', async () => {
    const otherCase = await buildCase(testDatabase.database, {
      matters: [{ milestones: [{ status: 'current' }, { status: 'done' }] }],
    });
    for (const status of ['current', 'done']) {
      await execute('delete from broadcast_events');
      const { rowCount } = await execute('delete from milestones where matter_id = $1 and status = $2', [
        otherCase.matterId,
        status,
      ]);
      expect(rowCount).toBe(1);
      expect(await recordedEvents()).toEqual([
        { channel: `private-case.${otherCase.id}`, event: 'CaseUpdated', ids: [] },
      ]);
    }
  });

  test('a new document or history entry records its event', async () => {
    const document = await buildDocument(testDatabase.database, { matterId: fixture.matterId });
    const entry = await buildHistoryEntry(testDatabase.database, { caseId: fixture.id });
    expect(await recordedEvents()).toEqual([
      caseEvent('DocumentShared', [document.id]),
      caseEvent('HistoryRecorded', [entry.id]),
    ]);
  });

  test('a payment records its event when its intent is stored, not in the transaction that inserts it', async () => {
    const payment = await buildPayment(testDatabase.database, {
      caseId: fixture.id,
      clientId: fixture.clientId,
      caseSearchId: fixture.caseSearchId,
      providerIntentId: null,
    });
    expect(await recordedEvents()).toEqual([]);
    await execute("update payments set provider_intent_id = 'pi_1' where id = $1", [payment.id]);
    expect(await recordedEvents()).toEqual([caseEvent('PaymentUpdated', [payment.id])]);
    await execute('delete from broadcast_events');
    await execute("update payments set next_check_at = now() + interval '1 hour', updated_at = now()");
    expect(await recordedEvents()).toEqual([]);
    await execute("update payments set status = 'processing' where id = $1", [payment.id]);
    expect(await recordedEvents()).toEqual([caseEvent('PaymentUpdated', [payment.id])]);
  });

  test('a refund that the provider completes records an event of its payment', async () => {
    const otherCase = await buildCase(testDatabase.database, {
      clients: [{}],
      matters: [{ searches: [{}] }],
    });
    const payment = await buildPayment(testDatabase.database, {
      caseId: otherCase.id,
      clientId: otherCase.clientId,
      caseSearchId: otherCase.caseSearchId,
    });
    await execute(
      `insert into refunds (id, payment_id, provider_refund_id, amount, status, last_cause, created_at, updated_at)
       values (gen_random_uuid(), $1, 're_1', 500, 'pending', 'webhook', now(), now())`,
      [payment.id],
    );
    await execute('delete from broadcast_events');
    await execute('update refunds set updated_at = now() where payment_id = $1', [payment.id]);
    expect(await recordedEvents()).toEqual([]);
    await execute("update refunds set status = 'succeeded' where payment_id = $1", [payment.id]);
    expect(await recordedEvents()).toEqual([
      { channel: `private-case.${otherCase.id}`, event: 'PaymentUpdated', ids: [payment.id] },
    ]);
  });

  test('a change of maintenance records an event for all clients', async () => {
    await execute("insert into maintenance (area) values ('general')");
    await execute("delete from maintenance where area = 'general'");
    expect(await recordedEvents()).toEqual(
      Array.from({ length: 2 }, () => ({ channel: 'status', event: 'MaintenanceChanged', ids: [] })),
    );
  });

  test('a change of access to a case records an event for the client, and for all servers if it is withdrawn', async () => {
    const other = fixture.clientIds[1] as string;
    await execute('delete from case_clients where client_id = $1', [other]);
    await execute('insert into case_clients (case_id, client_id) values ($1, $2)', [fixture.id, other]);
    expect(await recordedEvents()).toEqual([
      { channel: `private-client.${other}`, event: 'CaseUpdated', ids: [fixture.id] },
      { channel: '#access', event: 'ended', ids: [other] },
      { channel: `private-client.${other}`, event: 'CaseUpdated', ids: [fixture.id] },
    ]);
  });

  test('a statement about several cases records the events of each, and of each client', async () => {
    const other = await buildCase(testDatabase.database, {
      clients: [{}, {}],
      matters: [{ milestones: [] }],
    });
    await execute('delete from broadcast_events');
    const milestones = [
      [fixture.matterId, 'batch_done', 'done'],
      [fixture.matterId, 'batch_next', 'current'],
      [other.matterId, 'batch_next', 'current'],
    ].map(([matterId, key, status]) => ({
      id: newId(),
      matterId: matterId ?? '',
      key: key ?? '',
      status: status as 'done',
    }));
    await testDatabase.database.insert(tables.milestones).values(
      milestones.map((milestone, position) => ({
        ...{ ...milestone, title: 'A step', explanation: 'Why', stageTitle: 'Stage', stagePosition: 0 },
        ...{ actor: 'us' as const, position: 100 + position },
      })),
    );
    await execute('delete from case_clients where case_id = $1', [other.id]);
    const sorted = (values: readonly object[]) => values.map((value) => JSON.stringify(value)).sort();
    const events = (await recordedEvents()).map(({ ids, ...event }) => ({ ...event, ids: ids.toSorted() }));
    expect(sorted(events)).toEqual(
      sorted([
        caseEvent('MilestoneReached', [milestones[0]?.id ?? '']),
        caseEvent('CaseUpdated', []),
        { channel: `private-case.${other.id}`, event: 'CaseUpdated', ids: [] },
        ...other.clientIds.map((id) => ({
          channel: `private-client.${id}`,
          event: 'CaseUpdated',
          ids: [other.id],
        })),
        { channel: '#access', event: 'ended', ids: other.clientIds.toSorted() },
      ]),
    );
  });

  test('a client’s choice of another case records an event on their own channel', async () => {
    const { database } = testDatabase;
    await database
      .update(tables.clients)
      .set({ activeCaseId: fixture.id })
      .where(eq(tables.clients.id, fixture.clientId));
    expect(await recordedEvents()).toEqual([
      { channel: `private-client.${fixture.clientId}`, event: 'CaseUpdated', ids: [] },
    ]);
    await database
      .update(tables.clients)
      .set({ passwordHash: 'another' })
      .where(eq(tables.clients.id, fixture.clientId));
    expect(await recordedEvents()).toHaveLength(1);
  });

  test('a session that is revoked or deleted before its expiry records an event', async () => {
    const session = { ownerId: fixture.clientId, expiresAt: new Date(Date.now() + 60_000) };
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
    await execute('update sessions set last_used_at = now()');
    await execute('update sessions set revoked_at = now() where token_hash = $1', [first]);
    await execute('delete from sessions');
    expect((await recordedEvents()).map(({ channel, ids }) => [channel, ...ids])).toEqual([
      ['#sessions', first.toString('hex')],
      ['#sessions', second.toString('hex')],
    ]);
  });
});

test('an update without a visible change records no event', async () => {
  await execute('update case_searches set name = name, feed_hash = $1, updated_at = now()', [
    Buffer.alloc(4),
  ]);
  expect(await recordedEvents()).toEqual([]);
});

test('a transaction records one event per kind, with no ids above fifty', async () => {
  const { database } = testDatabase;
  const addEntries = (count: number) =>
    database.transaction(async (transaction) => {
      for (let index = 0; index < count; index += 1) {
        await buildHistoryEntry(transaction, { caseId: fixture.id });
      }
    });
  await addEntries(50);
  await addEntries(51);
  const events = await recordedEvents();
  expect(events.map(({ event, ids }) => [event, ids.length])).toEqual([
    ['HistoryRecorded', 50],
    ['HistoryRecorded', 0],
  ]);
});

test('servers are notified once per transaction, and only if it commits', async () => {
  const listener = new pg.Client({ connectionString: testDatabase.url });
  await listener.connect();
  const notifications: string[] = [];
  listener.on('notification', ({ payload }) => notifications.push(payload ?? ''));
  await listener.query('listen keyturn_broadcast');
  const { database } = testDatabase;
  const changeSeveralRows = (end: () => void) =>
    database.transaction(async (transaction) => {
      await buildHistoryEntry(transaction, { caseId: fixture.id });
      await transaction.update(tables.tasks).set({ title: `Renamed ${Math.random()}` });
      end();
    });
  await changeSeveralRows(() => {
    throw new Error('rolled back');
  }).catch(() => {});
  await changeSeveralRows(() => {});
  const { rows } = await execute('select distinct transaction_id::text as id from broadcast_events');
  await expect.poll(() => notifications).toEqual([rows[0].id]);
  await listener.end();
});

describe('notifications with events', () => {
  /** Listens while `work` runs. @returns the payloads, parsed if they contain events */
  async function payloadsOf(work: () => Promise<unknown>) {
    const listener = new pg.Client({ connectionString: testDatabase.url });
    await listener.connect();
    const payloads: string[] = [];
    listener.on('notification', ({ payload = '' }) => payloads.push(payload));
    await listener.query('listen keyturn_events');
    await work();
    // PostgreSQL sends the notifications of earlier transactions before the answer.
    await listener.query('select 1');
    await listener.end();
    return payloads.map((payload) => (payload.startsWith('{') ? JSON.parse(payload) : payload));
  }
  const storedEvents = async () =>
    (
      await execute(
        'select transaction_id::text as transaction, id, channel, event, ids, except_socket from broadcast_events order by id',
      )
    ).rows.map(({ transaction, id, ...event }) => ({
      transaction,
      event: [Number(id), ...Object.values(event)],
    }));

  test('notifications contain the events of their transaction as of the commit', async () => {
    const { database } = testDatabase;
    const payloads = await payloadsOf(() =>
      runWithSocketId('123.456', () =>
        database.transaction(async (transaction) => {
          await buildHistoryEntry(transaction, { caseId: fixture.id });
          await transaction.update(tables.tasks).set({ title: `Renamed ${Math.random()}` });
          // Has the same channel as the first event, so both become one.
          await buildHistoryEntry(transaction, { caseId: fixture.id });
          await transaction
            .transaction(async (inner) => {
              await inner.update(tables.clients).set({ phone: `${Math.random()}` });
              throw new Error('rolled back to the savepoint');
            })
            .catch(() => {});
        }),
      ),
    );
    const stored = await storedEvents();
    expect(stored.map(({ event }) => [event[2], (event[3] as string[]).length, event[4]])).toEqual([
      ['HistoryRecorded', 2, '123.456'],
      ['TaskUpdated', 1, '123.456'],
    ]);
    expect(payloads).toEqual([
      { transaction: stored[0]?.transaction, events: stored.map(({ event }) => event) },
    ]);
  });

  test.each([
    ['many', "select broadcast('private-case.' || n, 'CaseUpdated', '{}') from generate_series(1, 150) n"],
    [
      'long',
      "select broadcast('#sessions', 'ended', array(select repeat('x', 200) || n from generate_series(1, 50) n))",
    ],
  ])('notifications name only the transaction if its events are too %s', async (_, sql) => {
    const payloads = await payloadsOf(() => execute(sql));
    expect(payloads).toEqual([(await storedEvents())[0]?.transaction]);
  });

  test('notifications are not sent by a transaction that is rolled back', async () => {
    const payloads = await payloadsOf(async () => {
      await execute("do $$ begin perform broadcast('status', 'X', '{}'); raise 'no'; end $$").catch(() => {});
    });
    expect(payloads).toEqual([]);
  });
});

test('an event records the connection whose request made the change, to exclude it', async () => {
  const { database } = testDatabase;
  await runWithSocketId('123.456', () =>
    database.transaction((transaction) => buildHistoryEntry(transaction, { caseId: fixture.id })),
  );
  await database.transaction((transaction) => buildHistoryEntry(transaction, { caseId: fixture.id }));
  const { rows } = await execute('select except_socket from broadcast_events order by id');
  expect(rows).toEqual([{ except_socket: '123.456' }, { except_socket: null }]);
});
