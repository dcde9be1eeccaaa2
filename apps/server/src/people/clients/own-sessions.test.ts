import { createHash } from 'node:crypto';
import { buildClient, withTestServer } from '@keyturn/testkit';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { auditEntries } from '../../schema/tables/audit-tables.ts';
import { sessions } from '../../schema/tables/tables.ts';

const password = 'turn-the-key-2026';
const userAgent =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36';
const server = withTestServer();
let clientId: string;
beforeEach(async () => {
  clientId = (await buildClient(server.database, { firstName: 'Amelia', lastName: 'Okafor' })).id;
});

type Headers = Awaited<ReturnType<typeof server.signInAs>>;

const sessionOf = ({ authorization }: Headers) =>
  eq(sessions.tokenHash, createHash('sha256').update(authorization.replace('Bearer ', '')).digest());
const send = (method: 'GET' | 'DELETE', path: string, headers: Headers) =>
  server.app.inject({ method, url: `/api${path}`, headers, remoteAddress: '203.0.113.7' });
const list = async (headers: Headers) => (await send('GET', '/sessions', headers)).json().data;
const idOf = async (headers: Headers) => (await list(headers))[0].id;
const isOpen = async (headers: Headers) => (await send('GET', '/client', headers)).statusCode === 200;
const set = (headers: Headers, values: object) =>
  server.database.update(sessions).set(values).where(sessionOf(headers));
const audited = () => server.database.select().from(auditEntries).where(eq(auditEntries.subjectId, clientId));

describe('the sessions of a client', () => {
  test('lists sessions with a plain name of the browser, and stores nothing else of its user agent', async () => {
    const { email, id } = await buildClient(server.database, { password });
    const signedIn = await server.app.inject({
      method: 'POST',
      url: '/api/login',
      headers: { 'user-agent': userAgent },
      payload: { email, password },
    });
    const headers = { authorization: `Bearer ${signedIn.json().data.access_token}` };
    expect(await list(headers)).toEqual([
      {
        id: expect.any(String),
        device: 'Chrome on Windows',
        created_at: expect.any(String),
        last_used_at: expect.any(String),
        signed_in_with: 'password',
        is_current: true,
      },
    ]);
    const { rows } = await server.pool.query('select s::text as row from sessions s where client_id = $1', [
      id,
    ]);
    expect(rows[0].row).not.toContain('AppleWebKit');
  });

  test('the list of sessions has the current one first, the others by their last use, and none of another client', async () => {
    const older = await server.signInAs(clientId);
    const newer = await server.signInAs(clientId);
    const own = await server.signInAs(clientId);
    await server.signInAs((await buildClient(server.database)).id);
    await set(older, { device: 'older', lastUsedAt: new Date(Date.now() - 600_000) });
    await set(newer, { device: 'newer', lastUsedAt: new Date(Date.now() - 300_000) });
    await set(own, { lastUsedAt: new Date(Date.now() - 900_000) });
    expect(await list(own)).toMatchObject([
      { device: 'Unknown browser', is_current: true },
      { device: 'newer', is_current: false },
      { device: 'older', is_current: false },
    ]);
  });

  test.each([
    ['was signed out', { endedAt: new Date() }],
    ['has expired', { expiresAt: new Date(Date.now() - 1_000) }],
    ['was idle for too long', { lastUsedAt: new Date(Date.now() - 1_800_000) }],
  ])('the list of sessions leaves out one that %s', async (_, values) => {
    const ended = await server.signInAs(clientId);
    const own = await server.signInAs(clientId);
    expect(await list(own)).toHaveLength(2);
    await set(ended, values);
    expect(await list(own)).toHaveLength(1);
  });
});

describe('ending sessions', () => {
  test('a client ends one session and no other, and it is audited', async () => {
    const own = await server.signInAs(clientId);
    const other = await server.signInAs(clientId);
    const third = await server.signInAs(clientId);
    const id = await idOf(other);
    expect((await send('DELETE', `/sessions/${id}`, own)).statusCode).toBe(204);
    expect([await isOpen(own), await isOpen(other), await isOpen(third)]).toEqual([true, false, true]);
    expect((await send('DELETE', `/sessions/${id}`, own)).statusCode).toBe(404);
    expect(await audited()).toMatchObject([
      {
        actorKind: 'client',
        actorId: clientId,
        action: 'client.session_ended',
        address: '203.0.113.7',
        after: { sessions: 1 },
      },
    ]);
  });

  test('a client ends every session but the current one, including idle ones, and it is audited once', async () => {
    const own = await server.signInAs(clientId);
    const others = [await server.signInAs(clientId), await server.signInAs(clientId)];
    for (const idle of others) await set(idle, { lastUsedAt: new Date(Date.now() - 1_800_000) });
    expect((await send('DELETE', '/sessions', own)).statusCode).toBe(204);
    for (const other of others) {
      const [session] = await server.database.select().from(sessions).where(sessionOf(other));
      expect(session?.endedAt).not.toBeNull();
    }
    expect(await isOpen(own)).toBe(true);
    expect((await send('DELETE', '/sessions', own)).statusCode).toBe(204);
    expect(await audited()).toMatchObject([
      { action: 'client.other_sessions_ended', after: { sessions: 2 } },
    ]);
  });

  describe('the known devices', () => {
    let email: string;
    beforeEach(async () => {
      ({ id: clientId, email } = await buildClient(server.database, { password }));
    });
    /** Signs in on a device, or on a new one. */
    const signInOn = async (cookies: Record<string, string> = {}) => {
      const answer = await server.app.inject({
        method: 'POST',
        url: '/api/login',
        payload: { email, password },
        cookies,
      });
      return {
        headers: { authorization: `Bearer ${answer.json().data.access_token}` },
        device: Object.fromEntries(answer.cookies.map(({ name, value }) => [name, value])),
      };
    };
    const countNewDevices = async () =>
      (await audited()).filter(({ action }) => action === 'client.signed_in_from_new_device').length;

    test('signing out another device forgets it, so that its next sign-in is emailed, and keeps the others known', async () => {
      const [own, phone, laptop] = [await signInOn(), await signInOn(), await signInOn()];
      expect(await countNewDevices()).toBe(3);
      expect((await send('DELETE', `/sessions/${await idOf(phone.headers)}`, own.headers)).statusCode).toBe(
        204,
      );
      await signInOn(own.device);
      await signInOn(laptop.device);
      expect(await countNewDevices()).toBe(3);
      await signInOn(phone.device);
      expect(await countNewDevices()).toBe(4);
    });

    test('signing out all other devices forgets those without a session too, and never the current one', async () => {
      const [own, phone, laptop] = [await signInOn(), await signInOn(), await signInOn()];
      await set(phone.headers, { expiresAt: new Date(Date.now() - 1_000) });
      expect((await send('DELETE', '/sessions', own.headers)).statusCode).toBe(204);
      await signInOn(own.device);
      expect(await countNewDevices()).toBe(3);
      await signInOn(phone.device);
      await signInOn(laptop.device);
      expect(await countNewDevices()).toBe(5);
    });

    test('signing out an older session in the same browser keeps the browser known', async () => {
      const older = await signInOn();
      const own = await signInOn(older.device);
      expect((await send('DELETE', `/sessions/${await idOf(older.headers)}`, own.headers)).statusCode).toBe(
        204,
      );
      await signInOn(own.device);
      expect(await countNewDevices()).toBe(1);
    });

    test('a client who changes their password and signs out all others keeps the current device known', async () => {
      const own = await signInOn();
      const changed = await server.app.inject({
        method: 'PUT',
        url: '/api/account/password',
        headers: own.headers,
        cookies: own.device,
        payload: { current_password: password, password: 'wardrobe-otter-lantern-71' },
      });
      expect(changed.statusCode).toBe(204);
      expect((await send('DELETE', '/sessions', own.headers)).statusCode).toBe(204);
      const { rows } = await server.pool.query('select from known_devices where client_id = $1', [clientId]);
      expect(rows).toHaveLength(1);
    });
  });

  test('a client who ends the current session is signed out', async () => {
    const own = await server.signInAs(clientId);
    expect((await send('DELETE', `/sessions/${await idOf(own)}`, own)).statusCode).toBe(204);
    expect(await isOpen(own)).toBe(false);
  });

  test('a client never ends a session of another client', async () => {
    const own = await server.signInAs(clientId);
    const stranger = await server.signInAs((await buildClient(server.database)).id);
    expect((await send('DELETE', `/sessions/${await idOf(own)}`, stranger)).statusCode).toBe(404);
    expect((await send('DELETE', '/sessions', stranger)).statusCode).toBe(204);
    expect(await isOpen(own)).toBe(true);
    expect(await audited()).toEqual([]);
  });

  test.each(['1', 'a'.repeat(301), '%00'])(
    'ending a session with the malformed id %s answers 404',
    async (id) => {
      const own = await server.signInAs(clientId);
      expect((await send('DELETE', `/sessions/${id}`, own)).statusCode).toBe(404);
    },
  );
});
