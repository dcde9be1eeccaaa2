import { hash } from 'node:crypto';
import { request } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import {
  anyPdf,
  buildClient,
  buildPayment,
  buildRegulation,
  type ClamdSimulator,
  eicar,
  startClamdSimulator,
} from '@keyturn/testkit';
import { fixtureFeed } from '@keyturn/testkit/fixture-feed.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { documentOf, frame, type Sent, withFeedServer } from '../../testing/feed-caller.ts';

let clamd: ClamdSimulator;
const log: string[] = [];
const { server, newKey, importing, rows, call, sendCase, sendDocument, idsOf } = withFeedServer(
  fixtureFeed.firm,
  async () => {
    clamd = await startClamdSimulator();
    return {
      env: { KEYTURN_VIRUS_SCANNER: `127.0.0.1:${clamd.port}`, LOG_LEVEL: 'error' },
      logTo: { write: (line) => log.push(line) },
    };
  },
);
afterAll(() => clamd.close());

/** Signs the document of a sent case, as its client. */
const sign = (mark: string) =>
  rows(
    `insert into document_signatures (id, document_id, position, client_id, name, method, consent, signed_at, address, sha256, mac)
       select gen_random_uuid(), d.id, 1, c.id, 'Zoë', 'typed', 'x', now(), '203.0.113.9', d.sha256, sha256('x')
       from documents d, clients c where d.reference = $1 and c.reference = $2`,
    [`D1${mark}`, `C1${mark}`],
  );

describe('the file of a document over HTTP', () => {
  const sendFile = (mark: string, payload: Buffer, sent: Sent = {}) =>
    call('PUT', `/documents/D1${mark}/file`, { ...sent, payload });

  test('the file of a document waits for its record, and is replaced when it is sent again', async () => {
    const { mark } = await sendCase();
    const put = () => call('PUT', `/documents/D1${mark}`, { payload: documentOf(mark) });
    expect(await put()).toMatchObject({
      status: 422,
      body: { errors: { file: [`has not been sent: send it to /api/feed/documents/D1${mark}/file first`] } },
    });
    const [first, second] = [anyPdf(), anyPdf()];
    expect((await sendFile(mark, first)).body.data.result).toBe('stored');
    expect((await put()).body.data.result).toBe('created');
    expect((await sendFile(mark, first)).body.data.result).toBe('unchanged');
    expect((await sendFile(mark, second)).body.data.result).toBe('updated');
    expect((await put()).body.data.result).toBe('unchanged');
    const [stored] = await rows('select file_name, size, sha256 from documents where reference = $1', [
      `D1${mark}`,
    ]);
    expect(stored).toMatchObject({ file_name: 'letter.pdf', size: second.length });
    expect(await server.files.read(stored.sha256, 1e6)).toEqual(second);
    expect(await rows('select 1 from feed_files where reference = $1', [`D1${mark}`])).toEqual([]);
  });

  test('the file of a signed document cannot change, but its record can still be sent', async () => {
    const { mark } = await sendCase();
    await sendDocument(mark);
    await sign(mark);
    expect(await sendFile(mark, anyPdf())).toMatchObject({
      status: 422,
      body: { errors: { file: [expect.stringContaining('the document is signed')] } },
    });
    expect(await call('PUT', `/documents/D1${mark}`, { payload: documentOf(mark) })).toMatchObject({
      body: { data: { result: 'unchanged' } },
    });
  });

  test('the file of a document does not overwrite a record that was sent meanwhile', async () => {
    const { mark } = await sendCase();
    await sendDocument(mark);
    const other = await server.pool.connect();
    await other.query('begin; select pg_advisory_xact_lock(7208114223)');
    const sending = sendFile(mark, anyPdf());
    const locked = () =>
      rows(
        "select 1 from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())",
      );
    while ((await locked()).length === 0) await setImmediate();
    await other.query(
      "update documents set title = 'Newer', feed_hash = sha256('newer') where reference = $1",
      [`D1${mark}`],
    );
    await other.query('commit');
    other.release();
    expect(await sending).toMatchObject({
      status: 409,
      body: {
        code: 'feed_not_possible',
        message: 'The record was changed by someone else: read it again.',
      },
    });
    expect(await rows('select title from documents where reference = $1', [`D1${mark}`])).toEqual([
      { title: 'Newer' },
    ]);
  });

  test('a file is accepted after other callers disconnected while their keys were checked', async () => {
    const { mark } = await sendCase();
    const { id, secret } = await newKey('documents:write');
    const other = await server.pool.connect();
    await other.query('begin');
    await other.query('select from feed_key_secrets where key_id = $1 for update', [id]);
    const waiting = () =>
      rows(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%feed_key_secrets%'",
      );
    const leaving = Array.from({ length: 4 }, () => {
      const sent = request(`${server.url}/api/feed/documents/D1${mark}/file`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/pdf' },
      });
      sent.on('error', () => {});
      sent.flushHeaders();
      return sent;
    });
    while ((await waiting()).length < leaving.length) await setImmediate();
    const left = leaving.map((sent) => new Promise((resolve) => sent.once('close', resolve)));
    for (const sent of leaving) sent.destroy();
    await Promise.all(left);
    await other.query('commit');
    other.release();
    while ((await waiting()).length > 0) await setImmediate();
    expect(await sendFile(mark, anyPdf())).toMatchObject({ status: 200 });
  });

  test('rejects a file that is not a document, is too large, has another type or comes from a key without the scope', async () => {
    const { mark } = await sendCase();
    expect(await sendFile(mark, Buffer.from('hello'))).toMatchObject({
      status: 422,
      body: { errors: { file: ['must be a PDF, JPEG, PNG or WebP'] } },
    });
    expect((await sendFile(mark, Buffer.alloc(25 * 1024 * 1024 + 1))).status).toBe(413);
    expect((await sendFile(mark, anyPdf(), { headers: { 'content-type': 'text/plain' } })).status).toBe(415);
    const { secret } = await newKey('clients:write', 'documents:read');
    expect((await sendFile(mark, anyPdf(), { secret })).status).toBe(403);
    expect(await rows('select 1 from feed_files where reference = $1', [`D1${mark}`])).toEqual([]);
  });
});

describe('the virus scanner of files over HTTP', () => {
  const infected = Buffer.concat([anyPdf(), eicar]);
  const sendFile = (mark: string, payload: Buffer) => call('PUT', `/documents/D1${mark}/file`, { payload });
  const traces = (mark: string) =>
    rows(
      `select (select count(*)::int from feed_files where reference = $1) as waiting,
         (select array_agg(action::text) from audit_entries where subject_id = $1) as audited`,
      [`D1${mark}`],
    );

  test('a file with malware is refused by name over HTTP, is not stored, is audited and alerts the operator', async () => {
    const { mark } = await sendCase();
    expect(await sendFile(mark, infected)).toMatchObject({
      status: 422,
      body: { errors: { file: [expect.stringMatching(/^contains malware \(Eicar-Test-Signature\)/)] } },
    });
    const sha256 = hash('sha256', infected);
    expect(await traces(mark)).toEqual([{ waiting: 0, audited: ['document.malware_found'] }]);
    expect(await server.files.has(sha256)).toBe(false);
    expect(log.filter((line) => line.includes(sha256)).map((line) => JSON.parse(line))).toMatchObject([
      { document: `D1${mark}`, malware: 'Eicar-Test-Signature', msg: expect.stringContaining('malware') },
    ]);
  });

  test('a file that cannot be scanned is refused with 503 over HTTP, and accepted once the scanner answers again', async () => {
    const { mark } = await sendCase();
    const file = anyPdf();
    clamd.behaviour = 'close';
    expect(await sendFile(mark, file)).toMatchObject({
      status: 503,
      body: { code: 'unavailable', message: expect.stringContaining('send it again in a few minutes') },
    });
    expect(await traces(mark)).toEqual([{ waiting: 0, audited: null }]);
    clamd.behaviour = 'scan';
    expect((await sendFile(mark, file)).body.data.result).toBe('stored');
    expect(clamd.scanned.at(-1)).toBe(file.length);
    expect(clamd.violations).toEqual([]);
  });
});

describe('what clients did, over HTTP', () => {
  const changes = (query = '', sent: Sent = {}) => call('GET', `/changes${query}`, sent);
  /** Reads all changes, page by page. */
  async function readOn(after: string | null) {
    const read: Record<string, unknown>[] = [];
    for (let next = after; ; ) {
      const { body } = await changes(`?limit=100${next === null ? '' : `&after=${next}`}`);
      read.push(...body.data);
      next = body.meta.next;
      if (!body.meta.has_more) return { read, next };
    }
  }

  test('the list of changes has payments, documents read, activated clients and changed phone numbers once, with the references of the firm', async () => {
    const { next: before } = await readOn(null);
    const { mark } = await sendCase();
    const ids = await idsOf(mark);
    const { id: paymentId } = await buildPayment(server.database, { ...ids, status: 'processing' });
    await rows("update payments set status = 'succeeded', paid_at = now() where id = $1", [paymentId]);
    await sendDocument(mark);
    await rows(
      'insert into document_reads (document_id, client_id) select id, $2 from documents where reference = $1',
      [`D1${mark}`, ids.clientId],
    );
    await rows('select record_client_activation($1, now())', [ids.clientId]);
    await rows("update clients set phone = '07700 900456', phone_changed_at = now() where id = $1", [
      ids.clientId,
    ]);
    const { read, next } = await readOn(before);
    expect(read).toMatchObject([
      {
        type: 'payment.succeeded',
        client: `C1${mark}`,
        case: `K1${mark}`,
        search: `S1${mark}`,
        payment: paymentId,
      },
      { type: 'document.read', client: `C1${mark}`, case: `K1${mark}`, document: `D1${mark}` },
      { type: 'client.activated', client: `C1${mark}` },
      { type: 'client.phone_changed', client: `C1${mark}` },
    ]);
    expect(await readOn(next)).toEqual({ read: [], next });
  });

  test('the list of changes has refunds, disputes and signatures', async () => {
    const { mark } = await sendCase();
    const ids = await idsOf(mark);
    await sendDocument(mark);
    const { id: paymentId } = await buildPayment(server.database, { ...ids, status: 'succeeded' });
    const { next: before } = await readOn(null);
    const [refund] = await rows(
      `insert into refunds (id, payment_id, provider_refund_id, amount, status, last_cause, created_at, updated_at)
       values (gen_random_uuid(), $1, 're_1', 50, 'pending', 'refunded', now(), now()) returning id`,
      [paymentId],
    );
    await rows("update refunds set status = 'succeeded' where id = $1", [refund.id]);
    await rows("update refunds set status = 'failed', failed_at = now() where id = $1", [refund.id]);
    const [dispute] = await rows(
      `insert into disputes
         (id, payment_id, provider, provider_dispute_id, is_inquiry, status, reason, amount, opened_at, observed_at)
       values (gen_random_uuid(), $1, 'sandbox', 'du_1', false, 'needs_response', 'fraudulent', 100, now(), now())
       returning id`,
      [paymentId],
    );
    await rows("update disputes set status = 'closed', outcome = 'lost', closed_at = now() where id = $1", [
      dispute.id,
    ]);
    await sign(mark);
    const ofPayment = { client: `C1${mark}`, case: `K1${mark}`, payment: paymentId };
    expect((await readOn(before)).read).toMatchObject([
      { type: 'payment.refunded', ...ofPayment, refund: refund.id, amount: 50 },
      { type: 'payment.refund_failed', ...ofPayment, refund: refund.id, amount: 50 },
      { type: 'payment.disputed', ...ofPayment, dispute: dispute.id, amount: 100 },
      { type: 'payment.dispute_closed', ...ofPayment, dispute: dispute.id, outcome: 'lost' },
      { type: 'document.signed', client: `C1${mark}`, case: `K1${mark}`, document: `D1${mark}` },
    ]);
  });

  test('the list of changes skips no change of a transaction that ends after a later one was read', async () => {
    const { next: before } = await readOn(null);
    const [slow, fast] = [await buildClient(server.database), await buildClient(server.database)];
    const transaction = await server.pool.connect();
    await transaction.query('begin');
    await transaction.query('select record_client_activation($1, now())', [slow.id]);
    await rows('select record_client_activation($1, now())', [fast.id]);
    const first = await readOn(before);
    await transaction.query('commit');
    transaction.release();
    const second = await readOn(first.next);
    const referenceOf = async (id: string) =>
      (await rows('select reference from clients where id = $1', [id]))[0].reference;
    expect(first.read.map(({ client }) => client)).toEqual([await referenceOf(fast.id)]);
    expect(second.read.map(({ client }) => client)).toEqual([await referenceOf(slow.id)]);
  });

  test('the list of changes answers while another caller is reading it', async () => {
    const other = await server.pool.connect();
    await other.query('begin; select pg_advisory_xact_lock(7208114226)');
    expect(await changes()).toMatchObject({ status: 200 });
    await other.query('rollback');
    other.release();
  });

  test('the change list of the case feed contains no first passwords set by an import', async () => {
    const { next: before } = await readOn(null);
    const { feed } = await sendCase();
    const [client] = feed.clients;
    await buildRegulation(server.database);
    await importing({ ...frame, clients: [{ ...client, password: 'a long enough phrase 9' }] });
    expect(
      await rows('select 1 from clients where reference = $1 and password_hash is not null', [
        client.reference,
      ]),
    ).toHaveLength(1);
    expect((await readOn(before)).read).toEqual([]);
  });

  test('the list of changes rejects an invalid cursor, one that a restored backup does not know, and a key without the scope', async () => {
    await buildClient(server.database).then(({ id }) =>
      rows('select record_client_activation($1, now())', [id]),
    );
    const { next } = await readOn(null);
    for (const query of [
      '?after=1',
      '?after=x',
      '?limit=0',
      '?limit=501',
      '?after=1-00000000&after=2-00000000',
    ])
      expect((await changes(query)).status, query).toBe(422);
    for (const lost of [`${next?.split('-')[0]}-00000000`, '999999-00000000']) {
      expect(await changes(`?after=${lost}`)).toMatchObject({
        status: 409,
        body: { code: 'feed_not_possible' },
      });
    }
    expect((await changes('', await newKey('clients:read'))).status).toBe(403);
  });
});
