import {
  buildCase,
  createImportDependencies,
  createTestDatabase,
  createTestServer,
  parseCommand,
  type TestDatabase,
  type TestServer,
} from '@keyturn/testkit';
import { fixtureFeed } from '@keyturn/testkit/fixture-feed.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { verifyAudit } from '../../records/audit/verify-audit.ts';
import { importFeed } from '../import/import-feed.ts';
import { type FeedKeyCommand, feedKeyCommand, runFeedKeyCommand } from './keys/feed-key-command.ts';
import { authenticateFeedKey } from './keys/feed-keys.ts';

let now = new Date('2026-11-21T12:00:00Z');
let stored: TestDatabase;
let server: TestServer;
beforeAll(async () => {
  stored = await createTestDatabase();
  server = await createTestServer({ database: stored });
});
afterAll(async () => {
  expect(await verifyAudit(server.database)).toMatchObject({ isIntact: true });
  await server.stop();
  await stored.drop();
});
afterEach(() => {
  now = new Date('2026-11-21T12:00:00Z');
});

const rows = async (sql: string, values: unknown[] = []) => (await server.pool.query(sql, values)).rows;
async function key(...args: string[]) {
  const lines: string[] = [];
  const clock = () => now;
  const parsed = parseCommand<FeedKeyCommand>((run) => feedKeyCommand(clock, run), args);
  const code = await runFeedKeyCommand({ database: server.database, clock }, parsed, (line) =>
    lines.push(line),
  );
  const text = lines.join('\n');
  return {
    code,
    lines,
    id: /Key (\S+)/.exec(text)?.[1] ?? '',
    secret: /Secret (\S+)/.exec(text)?.[1] ?? '',
  };
}
async function call(method: 'PUT' | 'POST', path: string, secret: string | null, payload: unknown) {
  const answer = await server.app.inject({
    method,
    url: `/api/feed${path}`,
    remoteAddress: '203.0.113.7',
    headers: {
      'content-type': 'application/json',
      ...(secret === null ? {} : { authorization: `Bearer ${secret}` }),
    },
    payload: JSON.stringify(payload),
  });
  return { status: answer.statusCode, body: answer.json() };
}
const works = (secret: string) =>
  authenticateFeedKey({ database: server.database, clock: () => now }, secret);
const clients = fixtureFeed.clients.map(
  ({ password: _password, ...client }: Record<string, unknown>) => client,
);
const [client] = clients as [Record<string, unknown>];
const withoutDocuments = {
  ...fixtureFeed,
  firm: undefined,
  clients,
  documents: [],
  searches: fixtureFeed.searches.map(
    ({ result_document: _document, ...search }: Record<string, unknown>) => search,
  ),
  tasks: fixtureFeed.tasks.map(({ document: _document, ...task }: Record<string, unknown>) => task),
};
const everything = () =>
  rows(`select (select jsonb_agg(to_jsonb(c) - '{id,created_at,updated_at,password_hash}'::text[]) from clients c) as clients,
    (select jsonb_agg(to_jsonb(c) - '{id,created_at,updated_at}'::text[]) from conveyancing_cases c) as cases,
    (select jsonb_agg(to_jsonb(m) - '{id,case_id,created_at,updated_at}'::text[]) from matters m) as matters,
    (select jsonb_agg(to_jsonb(s) - '{id,matter_id,created_at,updated_at}'::text[]) from case_searches s) as searches,
    (select jsonb_agg(to_jsonb(t) - '{id,case_id,matter_id,case_search_id,created_at,updated_at}'::text[]) from tasks t) as tasks,
    (select jsonb_agg(to_jsonb(b) - '{id,case_id,matter_id,created_at,updated_at}'::text[]) from bills b) as bills,
    (select jsonb_agg(to_jsonb(h) - '{id,case_id,created_at,updated_at}'::text[]) from history_entries h) as history`);

describe('a feed key', () => {
  test('a feed key works until it is revoked, and only its hash is stored', async () => {
    const { id, secret } = await key('create', 'Case management', '--write', 'clients, cases');
    expect(secret).toMatch(/^kt_feed_[\w-]{43}$/);
    expect(await works(secret)).toEqual({
      id,
      name: 'Case management',
      scopes: ['clients:write', 'cases:write'],
    });
    expect(await works(`${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`)).toBeNull();
    const dump = JSON.stringify([
      await rows('select * from feed_keys'),
      await rows('select * from feed_key_secrets'),
    ]);
    expect(dump).not.toContain(secret.slice(8, 30));
    expect((await key('list')).lines.join()).toContain(`${id}  "Case management"  active`);
    await key('revoke', id);
    expect(await works(secret)).toBeNull();
    expect((await key('list')).lines.join()).toContain('revoked on 2026-11-21');
    expect((await key('rotate', id)).code).toBe(1);
    expect(
      await rows(
        'select action from audit_entries join audit_links on entry_id = id where subject_id = $1 order by position',
        [id],
      ),
    ).toEqual([{ action: 'feed_key.created' }, { action: 'feed_key.revoked' }]);
  });

  test('a feed key stops working on its last day', async () => {
    const { secret } = await key('create', 'x', '--write', 'all', '--expires', '2026-11-22');
    now = new Date('2026-11-21T23:59:59Z');
    expect(await works(secret)).not.toBeNull();
    now = new Date('2026-11-22T00:00:00Z');
    expect(await works(secret)).toBeNull();
  });

  test.each([
    ['0', 'The previous secret no longer works.'],
    ['1', 'The previous secret still works for 1 hour.'],
    ['24', 'The previous secret still works for 24 hours.'],
  ])('a rotation with an overlap of %s prints how long the previous secret works', async (overlap, line) => {
    const { id } = await key('create', 'x', '--write', 'all');
    expect((await key('rotate', id, '--overlap', overlap)).lines.at(-1)).toBe(line);
  });

  test('a feed key’s previous secret works for the overlap of a rotation, which a second rotation does not extend', async () => {
    const { id, secret: first } = await key('create', 'x', '--write', 'all');
    const { secret: second } = await key('rotate', id, '--overlap', '2');
    now = new Date('2026-11-21T13:00:00Z');
    const { secret: third } = await key('rotate', id, '--overlap', '5');
    now = new Date('2026-11-21T13:59:59Z');
    expect((await Promise.all([first, second, third].map(works))).map((found) => found?.id)).toEqual([
      id,
      id,
      id,
    ]);
    now = new Date('2026-11-21T14:00:00Z');
    expect((await Promise.all([first, second, third].map(works))).map((found) => found?.id)).toEqual([
      undefined,
      id,
      id,
    ]);
    now = new Date('2026-11-21T18:00:00Z');
    expect((await Promise.all([second, third].map(works))).map((found) => found?.id)).toEqual([
      undefined,
      id,
    ]);
  });

  test('the last use of a feed key is recorded at most once a minute', async () => {
    const { id, secret } = await key('create', 'x', '--write', 'all');
    const lastUse = async () =>
      (await rows('select last_used_at from feed_key_secrets where key_id = $1', [id]))[0].last_used_at;
    await works(secret);
    now = new Date('2026-11-21T12:00:59Z');
    await works(secret);
    expect(await lastUse()).toEqual(new Date('2026-11-21T12:00:00Z'));
    now = new Date('2026-11-21T12:01:00Z');
    await works(secret);
    expect(await lastUse()).toEqual(now);
  });
});

describe('the feed over HTTP', () => {
  test('the feed over HTTP needs a feed key, which gives no access to the client API', async () => {
    const { clientId } = await buildCase(server.database);
    const { authorization } = await server.signInAs(clientId);
    const { secret } = await key('create', 'x', '--write', 'all');
    for (const [method, path] of [
      ['PUT', '/clients/C9'],
      ['POST', '/batches'],
    ] as const) {
      for (const token of [null, authorization.slice(7), `${secret}x`, secret.slice(3), '']) {
        expect(await call(method, path, token, {}), `${method} ${token}`).toMatchObject({
          status: 401,
          body: { code: 'unauthenticated' },
        });
      }
    }
    for (const url of ['/api/client', '/api/case-searches', '/api/payments']) {
      const headers = { authorization: `Bearer ${secret}` };
      expect((await server.app.inject({ url, headers })).statusCode, url).toBe(401);
    }
  });

  test('the feed over HTTP stores the same as an import, record by record and in one batch', async () => {
    const { secret } = await key('create', 'Case management', '--write', 'all');
    const first = await call('PUT', '/clients/C1', secret, client);
    expect(first).toMatchObject({ status: 409, body: { code: 'feed_not_possible' } });
    const dependencies = createImportDependencies(server);
    const actor = { kind: 'command_line', id: null, name: 'rhian' } as const;
    const empty = { format: fixtureFeed.format, as_of: fixtureFeed.as_of, firm: fixtureFeed.firm };
    await importFeed(dependencies, { feed: empty, folder: '.', as: 'real', actor });
    for (const list of ['clients', 'cases', 'matters', 'searches', 'tasks', 'bills', 'history'] as const) {
      for (const record of (withoutDocuments as unknown as Record<string, { reference: string }[]>)[list] ??
        []) {
        const path = `/${list}/${encodeURIComponent(record.reference)}`;
        expect(await call('PUT', path, secret, record)).toMatchObject({
          status: 201,
          body: { data: { reference: record.reference, result: 'created' } },
        });
        expect(await call('PUT', path, secret, record)).toMatchObject({
          status: 200,
          body: { data: { result: 'unchanged' } },
        });
      }
    }
    const stored = await everything();
    expect(await call('POST', '/batches', secret, withoutDocuments)).toMatchObject({
      status: 200,
      body: { data: { created: 0, updated: 0, rejected: [] } },
    });
    const imported = await importFeed(dependencies, {
      feed: withoutDocuments,
      folder: '.',
      as: 'real',
      actor,
    });
    expect(imported).toMatchObject({ created: 0, updated: 0, rejected: [] });
    expect(await everything()).toEqual(stored);
    expect(
      await rows(
        "select actor_kind, actor_name, address from audit_entries where action = 'feed.record_sent' and subject_id = $1",
        [client.reference],
      ),
    ).toEqual([{ actor_kind: 'feed_key', actor_name: 'Case management', address: '203.0.113.7' }]);
  });

  test('the feed over HTTP rejects an invalid record with its fields and writes nothing', async () => {
    const { secret } = await key('create', 'x', '--write', 'all');
    const put = (path: string, body: unknown) => call('PUT', path, secret, body);
    expect(await put('/clients/C7', { ...client, reference: 'C7', email: 'unknown' })).toMatchObject({
      status: 422,
      body: { code: 'invalid_input', errors: { email: [expect.any(String)] } },
    });
    expect(
      await put('/clients/C7', { ...client, reference: 'C7', email: 'unknown', colour: 1 }),
    ).toMatchObject({
      status: 422,
      body: {
        errors: {
          email: ['must be an email address such as name@example.com'],
          colour: ['is not a known field'],
        },
      },
    });
    expect(await put('/clients/C8', { ...client, reference: 'C7' })).toMatchObject({
      status: 422,
      body: { errors: { reference: ['must be the reference in the path, or be left out'] } },
    });
    expect(await put('/clients/C8', [])).toMatchObject({ status: 422 });
    expect((await put(`/clients/${'x'.repeat(101)}`, { ...client, reference: undefined })).status).toBe(422);
    expect(await put('/toString/D9', {})).toMatchObject({ status: 404 });
    expect(await rows("select reference from clients where reference in ('C7', 'C8')")).toEqual([]);
    expect(await rows("select 1 from audit_entries where subject_id in ('C7', 'C8')")).toEqual([]);
  });

  test('the feed over HTTP sets no password, so that no key can sign in as a client', async () => {
    const { secret } = await key('create', 'x', '--write', 'all');
    const sent = { ...client, reference: 'C5', email: 'five@example.test' };
    const withPassword = { ...sent, password: 'a long enough phrase 9' };
    const reason = ['cannot be sent over HTTP: invite the client instead'];
    expect(await call('PUT', '/clients/C5', secret, withPassword)).toMatchObject({
      status: 422,
      body: { code: 'invalid_input', errors: { password: reason } },
    });
    const batch = {
      format: fixtureFeed.format,
      as_of: fixtureFeed.as_of,
      clients: [{ ...sent, reference: 'C4', email: 'four@example.test' }, withPassword],
    };
    expect(await call('POST', '/batches', secret, batch)).toMatchObject({
      status: 422,
      body: { code: 'invalid_input', errors: { 'clients.1.password': reason } },
    });
    expect(await rows("select 1 from clients where reference in ('C4', 'C5')")).toEqual([]);
  });

  test('the feed over HTTP audits each record that a batch changes, and nothing of a batch without changes', async () => {
    const { id, secret } = await key('create', 'x', '--write', 'all');
    const post = (records: unknown[]) =>
      call('POST', '/batches', secret, {
        format: fixtureFeed.format,
        as_of: fixtureFeed.as_of,
        clients: records,
      });
    const [first, second] = ['A1', 'A2'].map((reference) => ({
      ...client,
      reference,
      email: `${reference}@example.test`,
    }));
    const entries = () =>
      rows(
        `select action, subject_kind, subject_id, after, address from audit_entries
         join audit_links on entry_id = id where actor_id = $1 order by position`,
        [id],
      );
    const entryOf = (reference: string, result: string) => ({
      action: 'feed.record_sent',
      subject_kind: 'client',
      subject_id: reference,
      after: { result },
      address: '203.0.113.7',
    });
    await post([first]);
    await post([{ ...first, phone: '0161 496 0123' }, second, { reference: 'A3' }]);
    const written = [entryOf('A1', 'created'), entryOf('A1', 'updated'), entryOf('A2', 'created')];
    expect(await entries()).toEqual(written);
    await post([second]);
    expect(await entries()).toEqual(written);
  });

  test('the feed over HTTP rejects a batch of too many records before it checks any of them', async () => {
    const { secret } = await key('create', 'x', '--write', 'all');
    const post = (clients: unknown[], tasks: unknown[]) =>
      call('POST', '/batches', secret, {
        format: fixtureFeed.format,
        as_of: fixtureFeed.as_of,
        clients,
        tasks,
      });
    expect(await post(new Array(1_000).fill(0), new Array(1_001).fill(0))).toMatchObject({
      status: 413,
      body: {
        code: 'payload_too_large',
        message: 'A batch may have up to 2000 records, and this one has 2001. Send it in parts.',
      },
    });
    const most = await post(new Array(1_000).fill(0), new Array(1_000).fill(0));
    expect(most).toMatchObject({ status: 200 });
    expect(most.body.data.rejected).toHaveLength(2_000);
  });

  test('the feed over HTTP stores requests sequentially, so that other calls find a connection', async () => {
    const { secret } = await key('create', 'x', '--write', 'all');
    const other = await server.pool.connect();
    await other.query('begin; select pg_advisory_xact_lock(7208114223)');
    const sent = Array.from({ length: 32 }, (_, index) => {
      const record = { ...client, email: `queue-${index}@example.test` };
      return call('PUT', `/clients/Q${index}`, secret, { ...record, reference: `Q${index}` });
    });
    const refused = await Promise.race(sent);
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    const waiting = await rows(
      "select 1 from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())",
    );
    expect(waiting.length).toBeLessThanOrEqual(1);
    await other.query('rollback');
    other.release();
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    // On a busy machine, more than one request may have waited for too long before the lock was released.
    expect(new Set(statuses)).toEqual(new Set([201, 503]));
    expect(statuses.at(-1)).toBe(201);
    const stored = await rows("select 1 from clients where email like 'queue-%'");
    expect(stored).toHaveLength(statuses.filter((status) => status === 201).length);
  });

  test('the feed over HTTP rejects a batch with kinds outside the key’s scopes before it stores anything', async () => {
    const { secret } = await key('create', 'x', '--write', 'clients');
    const feed = {
      ...withoutDocuments,
      clients: [{ ...client, reference: 'C6', email: 'six@example.test' }],
    };
    expect(await call('POST', '/batches', secret, feed)).toMatchObject({
      status: 403,
      body: { code: 'not_permitted', message: 'This API key may not write cases.' },
    });
    expect((await call('PUT', '/cases/K1', secret, {})).status).toBe(403);
    expect(await rows("select 1 from clients where reference = 'C6'")).toEqual([]);
    expect((await call('POST', '/batches', secret, { ...fixtureFeed, cases: [] })).status).toBe(422);
    expect((await call('POST', '/batches', secret, { format: 'other' })).status).toBe(422);
  });
});
