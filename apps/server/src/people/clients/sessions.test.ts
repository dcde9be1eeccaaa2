import {
  buildClient,
  createTestClock,
  type TestClock,
  withStatementCount,
  withTestDatabase,
} from '@keyturn/testkit';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { connectDatabase } from '../../adapters/postgres/connect.ts';
import { clients, sessions as table } from '../../schema/tables/tables.ts';
import { endSessionsOf } from '../credentials/account-sessions.ts';
import { createSessions, type Sessions } from './sessions.ts';

const stored = withTestDatabase();
const counted = withStatementCount(stored);
let clock: TestClock;
let sessions: Sessions;
let clientId: string;

const minute = 60_000;
const passwordHash = 'the hash that the password was compared with';
const touch = { touch: true };
const background = { touch: false };

beforeEach(async () => {
  clock = createTestClock('2026-05-04T09:00:00Z');
  sessions = createSessions({ database: stored.database, clock, expiresIn: 43_200, idleAfter: 1_800 });
  clientId = (await buildClient(stored.database, { passwordHash })).id;
});

async function start(from = sessions) {
  const session = await from.start(clientId, passwordHash);
  if (!session) return expect.fail('no session');
  return session.token;
}

const used = async (token: string) => {
  if (!(await sessions.authenticate(token, touch))) expect.fail('the session has ended');
};

describe('session', () => {
  test('stores only the hash of a session’s random token', async () => {
    const session = await sessions.start(clientId, passwordHash);
    expect(session).toEqual({ token: expect.stringMatching(/^kt_[\w-]{43}$/), expiresIn: 43_200 });
    expect(await start()).not.toBe(session?.token);
    const { rows } = await stored.pool.query<{ row: string }>('select sessions::text as row from sessions');
    for (const { row } of rows) expect(row).not.toContain(session?.token.slice(3));
    expect(await sessions.authenticate(session?.token ?? '', touch)).toMatchObject({ id: clientId });
  });

  test('a session is authenticated with one statement', async () => {
    const token = await start();
    const counting = createSessions({
      database: counted.database,
      clock,
      expiresIn: 43_200,
      idleAfter: 1_800,
    });
    expect(await counted.countStatementsOf(() => counting.authenticate(token, touch))).toBe(1);
  });

  test.each([
    '',
    'kt_',
    'kt_short',
    `kt_${'A'.repeat(43)}`,
    `kt_${'A'.repeat(44)}`,
    'A'.repeat(46),
    "' or 1=1 --",
    'kt_\0',
  ])('a session is not found with the token %j', async (token) => {
    expect(await sessions.authenticate(token, touch)).toBeNull();
  });

  test('fault 70: a session expires twelve hours after sign-in despite activity', async () => {
    const token = await start();
    for (let n = 0; n < 47; n++) {
      clock.advance(15 * minute);
      await used(token);
    }
    clock.advance(15 * minute - 1);
    await used(token);
    clock.advance(1);
    expect(await sessions.authenticate(token, touch)).toBeNull();
  });

  test('a session ends after thirty minutes of inactivity', async () => {
    const token = await start();
    clock.advance(30 * minute - 1);
    await used(token);
    clock.advance(30 * minute - 1);
    await used(token);
    clock.advance(30 * minute);
    expect(await sessions.authenticate(token, touch)).toBeNull();
  });

  test('background requests of an open page do not extend a session', async () => {
    const token = await start();
    for (let n = 0; n < 29; n++) {
      clock.advance(minute);
      expect(await sessions.authenticate(token, background)).not.toBeNull();
    }
    clock.advance(minute);
    expect(await sessions.authenticate(token, background)).toBeNull();
  });

  test('a session records activity without waiting for the disk', async () => {
    await stored.pool.query(`
      create table session_touches (waits text);
      create function note_touch() returns trigger language plpgsql as
        $$ begin insert into session_touches values (current_setting('synchronous_commit')); return null; end $$;
      create trigger note_touch after update on sessions for each statement execute function note_touch()`);
    const url = new URL(stored.url);
    // PostgreSQL in tests does not wait for the disk.
    url.searchParams.set('options', '-c synchronous_commit=on');
    const { database, close } = connectDatabase({ url: url.href, size: 1 });
    const durable = createSessions({ database, clock, expiresIn: 43_200, idleAfter: 1_800 });
    const token = await start(durable);
    clock.advance(minute);
    await durable.authenticate(token, touch);
    await close();
    const { rows } = await stored.pool.query('select waits from session_touches');
    await stored.pool.query('drop table session_touches; drop function note_touch cascade');
    expect(rows).toEqual([{ waits: 'off' }]);
  });

  test('a session records activity at most once a minute', async () => {
    const token = await start();
    const lastUsedAt = async () =>
      (await stored.database.select().from(table).where(eq(table.ownerId, clientId)))[0]?.lastUsedAt;
    clock.advance(59_999);
    await used(token);
    expect(await lastUsedAt()).toEqual(new Date('2026-05-04T09:00:00.000Z'));
    clock.advance(1);
    await used(token);
    expect(await lastUsedAt()).toEqual(new Date('2026-05-04T09:01:00.000Z'));
  });

  test('a session stays active during activity with a short idle limit', async () => {
    const brisk = createSessions({ database: stored.database, clock, expiresIn: 3_600, idleAfter: 60 });
    const token = await start(brisk);
    for (let n = 0; n < 20; n++) {
      clock.advance(50_000);
      expect(await brisk.authenticate(token, touch)).not.toBeNull();
      clock.advance(3_000);
      expect(await brisk.authenticate(token, touch)).not.toBeNull();
    }
  });

  test('a session ends on every server immediately while the client’s other sessions continue', async () => {
    const [ended, other] = [await start(), await start()];
    const elsewhere = createSessions({
      database: counted.database,
      clock,
      expiresIn: 43_200,
      idleAfter: 1_800,
    });
    const client = await sessions.authenticate(ended, touch);
    await sessions.end(client?.sessionHash ?? Buffer.alloc(32));
    expect(await sessions.authenticate(ended, touch)).toBeNull();
    expect(await elsewhere.authenticate(ended, touch)).toBeNull();
    expect(await elsewhere.authenticate(other, touch)).not.toBeNull();
  });

  test('a session ends when all sessions of its client are revoked, without affecting other clients', async () => {
    const tokens = [await start(), await start()];
    const stranger = await buildClient(stored.database, { passwordHash });
    const strangers = await sessions.start(stranger.id, passwordHash);
    await endSessionsOf(stored.database, table, { ownerId: clientId, now: clock() });
    for (const token of tokens) expect(await sessions.authenticate(token, touch)).toBeNull();
    expect(await sessions.authenticate(strangers?.token ?? '', touch)).toMatchObject({ id: stranger.id });
  });

  test('a session is deleted with its client', async () => {
    const token = await start();
    await stored.database.delete(clients).where(eq(clients.id, clientId));
    expect(await sessions.authenticate(token, touch)).toBeNull();
  });

  test('a session does not start if the password changed after the comparison', async () => {
    await stored.database.update(clients).set({ passwordHash: 'another' }).where(eq(clients.id, clientId));
    expect(await sessions.start(clientId, passwordHash)).toBeNull();
  });

  test('a session does not survive a change of password during sign-in', async () => {
    let starting: Promise<unknown> = Promise.resolve();
    await stored.database.transaction(async (transaction) => {
      await transaction.update(clients).set({ passwordHash: 'another' }).where(eq(clients.id, clientId));
      starting = sessions.start(clientId, passwordHash);
      await waitUntilBlocked();
      await endSessionsOf(transaction, table, { ownerId: clientId, now: clock() });
    });
    expect(await starting).toBeNull();
  });

  test('a session is deleted some time after it expired', async () => {
    await start();
    clock.advance(43_200_000);
    const fresh = createSessions({ database: stored.database, clock, expiresIn: 43_200, idleAfter: 1_800 });
    await start(fresh);
    const left = await stored.database.select().from(table).where(eq(table.ownerId, clientId));
    expect(left.map(({ createdAt }) => createdAt)).toEqual([clock()]);
  });
});

/** Waits until a database session waits for a lock. */
async function waitUntilBlocked() {
  for (;;) {
    const { rows } = await counted.pool.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (rows.length > 0) return;
  }
}
