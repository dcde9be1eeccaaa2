import { existsSync, mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fixtureFeed } from '@keyturn/testkit/fixture-feed.ts';
import { describe, expect, test } from 'vitest';
import { documentOf, frame, markedFeed, withFeedServer } from '../../../testing/feed-caller.ts';
import { sharedRecordRules, tableOf } from '../../../testing/record-rules.ts';
import { removeAbandonedBatches } from './spool-batch.ts';

const { server, key, newKey, rows, call, sendCase, sendDocument } = withFeedServer();

type Lists = Record<string, { reference: string }[]>;
/** Converts a feed to NDJSON with all kinds of records mixed. */
function linesOf({
  format: _format,
  as_of: _day,
  ...lists
}: Lists & { format?: unknown; as_of?: unknown }): string {
  const lines = Object.entries(lists).flatMap(([kind, records]) =>
    records.map((record) => ({ kind, record })),
  );
  return `${lines
    .reverse()
    .map((line) => JSON.stringify(line))
    .join('\n')}\n`;
}
const historyOf = (mark: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...fixtureFeed.history[0],
    case: `K1${mark}`,
    reference: `E${index}${mark}`,
  }));
const historyLines = (mark: string, count: number) => linesOf({ history: historyOf(mark, count) });
const folder = () => join(server.dataDirectory, 'feed-batches');
const spooled = () => (existsSync(folder()) ? readdirSync(folder()) : []);
async function waitForBatch(location: string | undefined) {
  const path = String(location).replace('/api/feed', '');
  for (;;) {
    const { body } = await call('GET', path);
    if (!['waiting', 'importing'].includes(body.data.state)) return body.data;
    // A feed key may send 200 requests in ten seconds.
    await setTimeout(100);
  }
}

describe('an NDJSON batch', () => {
  test('an NDJSON batch stores the same records as a JSON batch, whatever the order of its lines', async () => {
    const { feed } = markedFeed('-lines');
    const { documents: _documents, ...sent } = feed;
    delete sent.searches[0].result_document;
    const first = await call('POST', '/batches', { payload: linesOf(sent) });
    expect(first).toMatchObject({ status: 200, body: { data: { created: 7, rejected: [] } } });
    const again = await call('POST', '/batches', { payload: sent });
    expect(again.body.data).toEqual({ created: 0, updated: 0, unchanged: 7, rejected: [] });
    expect(spooled()).toEqual([]);
  });

  test('an NDJSON batch may start with a byte order mark, and is rejected at a line that is not UTF-8', async () => {
    const { mark } = await sendCase();
    const lines = historyLines(mark, 2);
    const marked = await call('POST', '/batches', { payload: `\uFEFF${lines}` });
    expect(marked).toMatchObject({ status: 200, body: { data: { created: 2 } } });
    const [first, second = ''] = lines.split('\n');
    const payload = Buffer.from(
      `${first}\n${second.replace('"reference":"', '"reference":"\xeb')}\n`,
      'latin1',
    );
    expect(
      await call('POST', '/batches', { payload, headers: { 'content-type': 'application/x-ndjson' } }),
    ).toMatchObject({
      status: 422,
      body: { errors: { 'line 2': ['is not encoded as UTF-8'] } },
    });
  });

  test('an NDJSON batch reports the line numbers of rejected records', async () => {
    const { mark } = await sendCase();
    const [first, second] = historyOf(mark, 2);
    const lines = [
      first,
      { ...second, case: 'unknown' },
      { ...first, reference: `new${mark}`, actor: 5, colour: 1 },
    ];
    const payload = lines.map((record) => `${JSON.stringify({ kind: 'history', record })}\n`).join('\n');
    expect((await call('POST', '/batches', { payload })).body.data).toEqual({
      created: 1,
      updated: 0,
      unchanged: 0,
      rejected: [
        { line: 3, reference: `E1${mark}`, field: 'case', reason: expect.stringContaining('does not exist') },
        {
          line: 5,
          reference: `new${mark}`,
          field: 'colour',
          reason: 'is not a known field; /actor must be text',
        },
      ],
    });
  });

  test.each([
    ['{"kind":"history","record":{}', 'is not JSON: the batch may be incomplete'],
    ['{"kind":"history","record":{"summary":"a","summary":"b"}}', 'has the same field twice in one object'],
    ['{"kind":"lunch","record":{}}', expect.stringMatching(/^needs a "kind": one of clients, /)],
    ['{"kind":"history","record":[]}', 'needs a "record": a JSON object'],
    ['null', expect.stringMatching(/^needs a "kind"/)],
    ['{"kind":"history","record":{},"note":1}', 'has a field besides "kind" and "record"'],
    ['{"kind":"clients","record":{"password":"x"}}', 'cannot be sent over HTTP: invite the client instead'],
    [`{"kind":"history","record":{"a":${'['.repeat(45_000)}${']'.repeat(45_000)}}}`, 'is nested too deeply'],
    [`{"kind":"history","record":{"summary":"${'x'.repeat(101 * 1024)}"}}`, 'is longer than 100 KB'],
  ])('an NDJSON batch with the line %j is rejected completely', async (line, reason) => {
    const { mark } = await sendCase();
    const answer = await call('POST', '/batches', { payload: `${historyLines(mark, 1)}${line}` });
    expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
    expect(Object.values(answer.body.errors as object)).toEqual([[reason]]);
    expect(await rows('select 1 from history_entries where reference = $1', [`E0${mark}`])).toEqual([]);
    expect(spooled()).toEqual([]);
  });

  test('an NDJSON batch needs the scope of every kind in it', async () => {
    const { mark, feed } = await sendCase();
    const { secret } = await newKey('history:write');
    const payload = historyLines(mark, 1) + linesOf({ bills: feed.bills });
    expect(await call('POST', '/batches', { secret, payload })).toMatchObject({
      status: 403,
      body: { message: 'This API key may not write bills.' },
    });
    expect(await rows('select 1 from history_entries where reference = $1', [`E0${mark}`])).toEqual([]);
  });

  test('an NDJSON batch is rejected before its body is read if the key may not write', async () => {
    const { secret } = await newKey('history:read');
    expect(await call('POST', '/batches', { secret, payload: 'not JSON\n' })).toMatchObject({
      status: 403,
      body: { code: 'not_permitted', message: 'This API key may not write.' },
    });
  });

  test('an incomplete NDJSON batch stores nothing', async () => {
    const { mark } = await sendCase();
    const sending = request(`${server.url}/api/feed/batches`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.secret}`, 'content-type': 'application/x-ndjson' },
    });
    sending.on('error', () => {});
    const closed = new Promise((resolve) => sending.once('close', resolve));
    sending.write(historyLines(mark, 100));
    while (spooled().length === 0) await new Promise(setImmediate);
    sending.destroy();
    await closed;
    while (spooled().length > 0) await new Promise(setImmediate);
    expect(await rows('select 1 from history_entries where reference = $1', [`E0${mark}`])).toEqual([]);
  });
});

describe('a large batch', () => {
  test('a large batch is imported after the response, reports its progress, and changes nothing when repeated', async () => {
    const { mark } = await sendCase();
    const payload = historyLines(mark, 2_500) + historyLines('-unknown', 1_200);
    const headers = { 'idempotency-key': 'large' };
    const answer = await call('POST', '/batches', { headers, payload });
    expect(answer).toMatchObject({ status: 202, body: { data: { state: 'waiting', records: 3_700 } } });
    expect(answer.location).toBe(`/api/feed/batches/${answer.body.data.id}`);
    const state = await waitForBatch(answer.location);
    expect(state).toMatchObject({
      state: 'done',
      reason: null,
      records: 3_700,
      processed: 3_700,
      created: 2_500,
      updated: 0,
      unchanged: 0,
      rejected_count: 1_200,
      records_per_second: expect.any(Number),
    });
    expect(state.rejected).toHaveLength(1_000);
    expect(state.rejected[0]).toMatchObject({ line: 2_501, field: 'case' });
    expect(await call('POST', '/batches', { headers, payload })).toEqual(answer);
    const again = await call('POST', '/batches', { payload });
    expect(await waitForBatch(again.location)).toMatchObject({
      state: 'done',
      unchanged: 2_500,
      rejected_count: 1_200,
    });
    while (spooled().length > 0) await new Promise(setImmediate);
    const other = await newKey('history:write');
    const path = `/batches/${answer.body.data.id}`;
    expect((await call('GET', path, other)).status).toBe(404);
    expect((await call('GET', '/batches/unknown')).status).toBe(404);
  });

  test('a large batch reports rejected records whose text cannot be stored, with shortened messages', async () => {
    const { mark } = await sendCase();
    const long = 'x'.repeat(50_000);
    const invalid = [{ reference: 'A\0\ud800' }, { reference: 'B', [`\0${long}`]: 1 }, { reference: long }];
    const { location } = await call('POST', '/batches', {
      payload: historyLines(mark, 2_000) + linesOf({ clients: invalid }),
    });
    const state = await waitForBatch(location);
    expect(state).toMatchObject({ state: 'done', created: 2_000, rejected_count: 3 });
    expect(JSON.stringify(state.rejected).length).toBeLessThan(1_500);
    expect(state.rejected.map(({ reference }: { reference: string }) => reference)).toEqual([
      'x'.repeat(200),
      'B',
      'A\ufffd',
    ]);
  });

  test('a large batch fails if its server is killed, and its spool folder is removed later', async () => {
    const { mark } = await sendCase();
    const sent = { headers: { 'idempotency-key': 'killed' }, payload: historyLines(mark, 2_001) };
    const { location } = await call('POST', '/batches', sent);
    const { id } = await waitForBatch(location);
    await rows(
      "update feed_batches set state = 'importing', finished_at = null, alive_at = now() - interval '2 minutes' where id = $1",
      [id],
    );
    expect(await waitForBatch(location)).toMatchObject({
      state: 'failed',
      reason: 'The server stopped. Send the batch again: records that were stored are then unchanged.',
    });
    const again = await call('POST', '/batches', sent);
    expect(again.location).not.toBe(location);
    expect(await waitForBatch(again.location)).toMatchObject({ state: 'done', unchanged: 2_001 });
    while (spooled().length > 0) await new Promise(setImmediate);
    const [old, recent] = [join(folder(), 'old'), join(folder(), 'recent')];
    for (const place of [old, recent]) mkdirSync(place, { recursive: true });
    const now = new Date();
    utimesSync(old, now, new Date(now.getTime() - 3 * 3_600_000));
    await removeAbandonedBatches(folder(), now, (id) => id === 'old');
    expect(spooled().sort()).toEqual(['old', 'recent']);
    await removeAbandonedBatches(folder(), now, () => false);
    expect(spooled()).toEqual(['recent']);
    await removeAbandonedBatches(folder(), new Date(now.getTime() + 3 * 3_600_000), () => false);
  });
});

describe('the rules of the case feed over HTTP', () => {
  test.each(sharedRecordRules)(
    'the case feed rejects %s with %j at %s, and stores nothing of the record',
    async (list, change, place, reason) => {
      const { mark, feed } = markedFeed(`-rule-${++rules}`, (given) => {
        const lists = given as Record<string, object[]>;
        return { ...lists, [list]: (lists[list] ?? []).map((record) => ({ ...record, ...change })) };
      });
      const sent = JSON.parse(JSON.stringify(feed).replaceAll('"\\\\ud800"', '"\\ud800"'));
      const [record] = sent[list];
      if (list !== 'documents') {
        const { documents: _documents, ...others } = markedFeed(mark).feed;
        delete others.searches[0].result_document;
        await call('POST', '/batches', { payload: { ...frame, clients: others.clients } });
        await call('POST', '/batches', {
          payload: { ...frame, cases: others.cases, matters: others.matters },
        });
        await sendDocument(mark);
      } else {
        await call('POST', '/batches', {
          payload: { ...frame, clients: sent.clients, cases: sent.cases, matters: sent.matters },
        });
        await sendDocument(mark);
      }
      expect(documentOf(mark)).toBeDefined();
      const { reference } = record;
      const before = await rows(`select * from ${tableOf[list]} where reference = $1`, [reference]);
      const field = place.split('/').slice(3).join('.');
      expect(await call('PUT', `/${list}/${reference}`, { payload: record })).toMatchObject({
        status: 422,
        body: { errors: { [field]: [expect.stringMatching(reason)] } },
      });
      const batch = await call('POST', '/batches', { payload: { ...frame, [list]: [record] } });
      expect(batch.body.data.rejected).toMatchObject([{ place, reason: expect.stringMatching(reason) }]);
      const lines = await call('POST', '/batches', { payload: linesOf({ [list]: [record] }) });
      expect(lines.body.data.rejected).toMatchObject([
        { line: 1, field, reason: expect.stringMatching(reason) },
      ]);
      expect(await rows(`select * from ${tableOf[list]} where reference = $1`, [reference])).toEqual(before);
    },
  );
});
let rules = 0;
