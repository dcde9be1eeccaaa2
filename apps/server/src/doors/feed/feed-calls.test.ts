import { type FeedList, feedRecords } from '@keyturn/contract';
import { anyPdf, buildPayment, createImportDependencies } from '@keyturn/testkit';
import { describe, expect, test } from 'vitest';
import { createCalendar } from '../../../../../demo/calendar.ts';
import { demonstrationFeed } from '../../../../../demo/make-demonstration.ts';
import { readRecords } from '../../case-file/records/read-records.ts';
import { frame, operator, withFeedServer } from '../../testing/feed-caller.ts';
import { importFeed } from '../import/import-feed.ts';
import { revokeFeedKey } from './keys/feed-keys.ts';

const { server, key, newKey, rows, call, sendCase, idsOf } = withFeedServer();
const pathOf = (kind: string, reference: string) => `/${kind}/${encodeURIComponent(reference)}`;
const entriesOf = (keyId: string) =>
  rows(
    `select action, subject_kind, subject_id, after from audit_entries
     join audit_links on entry_id = id where actor_id = $1 order by position`,
    [keyId],
  );

describe('reading a record over HTTP', () => {
  test('sending back any demonstration record that was read over HTTP has no effect', async () => {
    const { firm: _firm, documents, clients, ...lists } = demonstrationFeed(createCalendar('2026-11-20'));
    for (const { reference } of documents) {
      const sent = await call('PUT', `${pathOf('documents', reference)}/file`, { payload: anyPdf() });
      expect(sent).toMatchObject({ status: 200, body: { data: { result: 'stored' } } });
    }
    const withoutPasswords = clients.map(({ password: _password, ...client }) => client);
    const feed: Record<string, unknown> = { ...lists, documents, clients: withoutPasswords };
    const first = await call('POST', '/batches', { payload: feed });
    expect(first).toMatchObject({ status: 200, body: { data: { updated: 0, rejected: [] } } });
    const answers: Record<string, object[]> = {};
    for (const list of Object.keys(feedRecords) as FeedList[]) {
      const references = ((feed[list] ?? []) as { reference: string }[]).map(({ reference }) => reference);
      const stored = await readRecords(server.database, list, references);
      answers[list] = references.flatMap((reference) => stored.get(reference)?.record ?? []);
      const [record] = answers[list] as { reference: string }[];
      if (!record) continue;
      const read = await call('GET', pathOf(list, record.reference));
      expect(read).toMatchObject({ status: 200, body: { data: record } });
      expect(record).not.toHaveProperty('password');
      const again = await call('PUT', pathOf(list, record.reference), { payload: record });
      expect(again).toMatchObject({ status: 200, body: { data: { result: 'unchanged' } } });
    }
    const again = await call('POST', '/batches', { payload: { ...frame, ...answers } });
    const unchanged = Object.values(answers).flat().length;
    expect(unchanged).toBeGreaterThan(500);
    expect(again.body.data).toEqual({ created: 0, updated: 0, unchanged, rejected: [] });
  }, 60_000);

  test('a record read over HTTP includes a client’s changes, and can be updated in one field', async () => {
    const { mark } = await sendCase();
    await rows("update tasks set status = 'done' where reference = $1", [`T1${mark}`]);
    const { body } = await call('GET', `/tasks/T1${mark}`);
    expect(body.data).toEqual({
      reference: `T1${mark}`,
      case: `K1${mark}`,
      search: `S1${mark}`,
      kind: 'pay_search',
      title: 'Pay',
      explanation: 'Now',
      status: 'done',
    });
    const put = (payload: object) => call('PUT', `/tasks/T1${mark}`, { payload });
    expect((await put(body.data)).body.data.result).toBe('unchanged');
    expect((await put({ ...body.data, status: 'open' })).body.data.result).toBe('updated');
    expect(await rows('select status from tasks where reference = $1', [`T1${mark}`])).toEqual([
      { status: 'open' },
    ]);
  });

  test('reading a record over HTTP needs the scope for its kind, and is audited once a day', async () => {
    const { mark } = await sendCase();
    const writer = await newKey('clients:write');
    expect(await call('GET', `/clients/C1${mark}`, writer)).toMatchObject({
      status: 403,
      body: { code: 'not_permitted', message: 'This API key may not read clients.' },
    });
    const reader = await newKey('clients:read');
    expect((await call('GET', `/cases/K1${mark}`, reader)).status).toBe(403);
    expect((await call('PUT', `/clients/C1${mark}`, { ...reader, payload: {} })).status).toBe(403);
    for (const reference of ['unknown', '%00', 'x'.repeat(101)]) {
      expect((await call('GET', `/clients/${reference}`, reader)).status, reference).toBe(404);
    }
    expect((await call('GET', `/toString/C1${mark}`, reader)).status).toBe(404);
    expect(await entriesOf(reader.id)).toEqual([]);
    for (let times = 0; times < 2; times += 1) await call('GET', `/clients/C1${mark}`, reader);
    expect(await entriesOf(reader.id)).toEqual([
      { action: 'feed.record_read', subject_kind: 'client', subject_id: `C1${mark}`, after: null },
    ]);
  });
});

describe('JSON that the feed over HTTP rejects', () => {
  const nested = `${'['.repeat(45_000)}${']'.repeat(45_000)}`;
  const put = (fields: string) => ['PUT', '/clients/C1', `{${fields}}`] as const;
  const post = (fields: string) =>
    ['POST', '/batches', `${JSON.stringify(frame).slice(0, -1)},${fields}}`] as const;
  test.each([
    ['nested JSON', 422, ...put(`"nested":${nested}`)],
    ['nested JSON', 422, ...post(`"clients":${nested}`)],
    ['a repeated field', 400, ...put('"first_name":"Amelia","first_name":"Tom"')],
    ['a repeated field', 400, ...post('"clients":[{"reference":"C1","reference":"C2"}]')],
    ['2^53 + 1 as a number', 422, 'PUT', '/documents/D1', '{"pages":9007199254740993}'],
  ] as const)(
    'fault 58: the feed over HTTP rejects %s with %i: %s %s',
    async (_what, status, method, path, payload) => {
      const headers = { 'content-type': 'application/json' };
      expect((await call(method, path, { headers, payload })).status).toBe(status);
    },
  );
});

/** The fields of each kind that people write and read. */
const textFields: Partial<Record<FeedList, string[]>> = {
  clients: ['title', 'first_name', 'last_name'],
  cases: ['title'],
  searches: ['name', 'supplier', 'explanation', 'refund_rule', 'delayed_reason', 'outcome_summary'],
  tasks: ['title', 'explanation'],
  bills: ['number', 'description'],
  history: ['actor', 'summary'],
};

test('fault 60: the feed over HTTP stores SQL, HTML and templates in any text field as text, and finds nothing by them', async () => {
  const injection = "'; drop table a; -- <b onload=x> {{7*7}} $" + '{7*7}';
  const { feed } = await sendCase();
  for (const [list, fields] of Object.entries(textFields)) {
    const [record] = feed[list] as { reference: string }[];
    const changes = Object.fromEntries(fields.map((field) => [field, injection]));
    const path = pathOf(list, record?.reference ?? '');
    expect(await call('PUT', path, { payload: { ...record, ...changes } })).toMatchObject({
      status: 200,
      body: { data: { result: 'updated' } },
    });
    expect(await call('GET', path)).toMatchObject({ status: 200, body: { data: changes } });
    expect((await call('GET', pathOf(list, "' or 1=1 --"))).status).toBe(404);
    expect((await call('GET', pathOf(list, `${record?.reference}' or ''='`))).status).toBe(404);
  }
});

test('a telephone number is read back in one form, which changes nothing when it is sent again, nor does the same number written otherwise', async () => {
  const { mark, feed } = await sendCase();
  const client = `/clients/C1${mark}`;
  const matterCase = `/cases/K1${mark}`;
  const [handler] = feed.cases[0].handlers;
  const put = (path: string, payload: object) => call('PUT', path, { payload });
  await put(client, { ...feed.clients[0], phone: '+44 (0)161 496 0199 ext 12' });
  await put(matterCase, { ...feed.cases[0], handlers: [{ ...handler, phone: '7700900123.0' }] });
  const stored = [(await call('GET', client)).body.data, (await call('GET', matterCase)).body.data];
  expect(stored).toMatchObject([
    { phone: '+441614960199;ext=12' },
    { handlers: [{ phone: '+447700900123' }] },
  ]);
  for (const [path, payload] of [
    [client, stored[0]],
    [matterCase, stored[1]],
    [client, { ...stored[0], phone: '0161 496 0199 x12' }],
    [matterCase, { ...stored[1], handlers: [{ ...handler, phone: '07700 900123' }] }],
  ] as const)
    expect((await put(path, payload)).body.data, JSON.stringify(payload)).toMatchObject({
      result: 'unchanged',
    });
  expect(await put(client, { ...stored[0], phone: '0161 496 0199 / 07700 900123' })).toMatchObject({
    status: 422,
    body: { errors: { phone: ['has more than one telephone number: give one'] } },
  });
  expect(await put(matterCase, { ...stored[1], handlers: [{ ...handler, phone: 'n/a 1' }] })).toMatchObject({
    status: 422,
    body: { errors: { 'handlers.0.phone': [expect.stringContaining('is not a telephone number')] } },
  });
});

describe('withdrawing a record over HTTP', () => {
  test('withdrawing cancels a search and a bill once, as an import does', async () => {
    const { mark } = await sendCase();
    for (const [kind, reference] of [
      ['searches', `S1${mark}`],
      ['bills', `B1${mark}`],
    ] as const) {
      expect(await call('DELETE', pathOf(kind, reference))).toMatchObject({
        status: 200,
        body: { data: { reference, result: 'withdrawn' } },
      });
      expect((await call('GET', pathOf(kind, reference))).body.data.status).toBe('cancelled');
      expect((await call('DELETE', pathOf(kind, reference))).body.data.result).toBe('unchanged');
    }
    expect((await entriesOf(key.id)).filter(({ after }) => after?.result === 'withdrawn')).toHaveLength(2);
  });

  test('a withdrawal does not overwrite a record that was changed since it was read', async () => {
    const { mark, feed } = await sendCase();
    const sent = { ...frame, bills: [{ ...feed.bills[0], status: 'cancelled' }] };
    const { rejected } = await importFeed(createImportDependencies(server), {
      feed: sent,
      folder: '.',
      as: 'real',
      actor: operator,
      expected: { bills: new Map([[sent.bills[0].reference, '0']]) },
    });
    expect(rejected).toMatchObject([
      { place: '/bills/0', reason: 'was changed by someone else: read it again' },
    ]);
    expect((await call('GET', `/bills/B1${mark}`)).body.data.status).toBe('issued');
  });

  test('rejects the withdrawal of a search with a payment in progress, and of kinds without such a status', async () => {
    const { mark } = await sendCase();
    const search = await idsOf(mark);
    await buildPayment(server.database, { ...search, status: 'processing' });
    expect(await call('DELETE', `/searches/S1${mark}`)).toMatchObject({
      status: 422,
      body: { errors: { status: [expect.stringContaining('a payment is in progress')] } },
    });
    for (const [kind, reference] of [
      ['clients', 'C1'],
      ['cases', 'K1'],
      ['matters', 'M1'],
      ['tasks', 'T1'],
      ['history', 'H1'],
    ] as const) {
      expect(await call('DELETE', pathOf(kind, reference + mark)), kind).toMatchObject({
        status: 409,
        body: { code: 'feed_not_possible', message: expect.stringContaining('can’t be withdrawn') },
      });
    }
    expect((await call('DELETE', '/searches/unknown')).status).toBe(404);
  });
});

describe('a repeated request with an Idempotency-Key', () => {
  const headers = { 'idempotency-key': 'order-66' };

  test('a repeated request gets the same answer without effect; its key with another request is rejected', async () => {
    const { mark, feed } = await sendCase();
    const client = { ...feed.clients[0], phone: '0161 496 0199' };
    const path = `/clients/C1${mark}`;
    const first = await call('PUT', path, { headers, payload: client });
    expect(first).toMatchObject({ status: 200, body: { data: { result: 'updated' } } });
    await call('PUT', path, { payload: { ...client, phone: '0161 496 0100' } });
    expect(await call('PUT', path, { headers, payload: client })).toEqual(first);
    expect(await rows('select phone from clients where reference = $1', [`C1${mark}`])).toEqual([
      { phone: '+441614960100' },
    ]);
    for (const other of [
      { ...client, phone: '0117 496 0101' },
      { ...client, title: 'Ms' },
    ]) {
      expect(await call('PUT', path, { headers, payload: other })).toMatchObject({
        status: 422,
        body: {
          errors: { 'idempotency-key': ['was used for another request: send a new key with this one'] },
        },
      });
    }
    expect((await call('DELETE', `/bills/B1${mark}`, { headers })).status).toBe(422);
    // Idempotency keys are separate for each feed key.
    const other = await newKey('clients:write');
    expect(await call('PUT', path, { ...other, headers, payload: { ...client, title: 'Ms' } })).toMatchObject(
      {
        body: { data: { result: 'updated' } },
      },
    );
  });

  test('keeps answers for idempotency keys of batches and withdrawals for a day, except of failed requests', async () => {
    const { mark, feed } = await sendCase();
    const deletion = { headers: { 'idempotency-key': 'deletion' } };
    expect((await call('DELETE', `/bills/B1${mark}`, deletion)).body.data.result).toBe('withdrawn');
    expect((await call('DELETE', `/bills/B1${mark}`, deletion)).body.data.result).toBe('withdrawn');
    const batch = { headers: { 'idempotency-key': 'batch' }, payload: { ...frame, clients: feed.clients } };
    const invalid = { ...batch, payload: { ...frame, format: 'x' } };
    expect((await call('POST', '/batches', invalid)).status).toBe(422);
    const answer = await call('POST', '/batches', batch);
    expect(answer.body.data).toMatchObject({ unchanged: 1 });
    expect(await call('POST', '/batches', batch)).toEqual(answer);
    await rows("update feed_requests set created_at = created_at - interval '25 hours' where key_id = $1", [
      key.id,
    ]);
    expect((await call('DELETE', `/bills/B1${mark}`, deletion)).body.data.result).toBe('unchanged');
    expect(await rows('select idempotency_key from feed_requests where key_id = $1', [key.id])).toEqual([
      { idempotency_key: 'deletion' },
    ]);
    const long = { ...deletion, headers: { 'idempotency-key': 'x'.repeat(256) } };
    expect((await call('DELETE', `/bills/B1${mark}`, long)).status).toBe(422);
  });

  test('a repeated request is rejected while the first is in progress, and executed if the server stopped before its answer', async () => {
    const { mark, feed } = await sendCase();
    const sent = { headers, payload: { ...feed.clients[0], title: 'Dr' } };
    await call('PUT', `/clients/C1${mark}`, sent);
    await rows('update feed_requests set answer = null where key_id = $1', [key.id]);
    expect((await call('PUT', `/clients/C1${mark}`, sent)).status).toBe(503);
    await rows("update feed_requests set created_at = created_at - interval '3 minutes' where key_id = $1", [
      key.id,
    ]);
    expect((await call('PUT', `/clients/C1${mark}`, sent)).body.data.result).toBe('unchanged');
  });
});

describe('a feed key that is revoked', () => {
  test('a revoked feed key stores nothing more, even from requests accepted earlier', async () => {
    const { feed, mark } = await sendCase();
    const other = await server.pool.connect();
    await other.query('begin; select pg_advisory_xact_lock(7208114223)');
    const waiting = call('PUT', `/clients/C1${mark}`, { payload: { ...feed.clients[0], title: 'Sir' } });
    const locked = () =>
      rows(
        "select 1 from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())",
      );
    while ((await locked()).length === 0) await new Promise(setImmediate);
    await revokeFeedKey(
      { database: server.database, clock: () => new Date() },
      { id: key.id, actor: operator },
    );
    await other.query('rollback');
    other.release();
    expect(await waiting).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    expect(await rows('select title from clients where reference = $1', [`C1${mark}`])).toEqual([
      { title: null },
    ]);
  });
});
