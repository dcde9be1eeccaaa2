import { type CaseDocument, signatureConsent } from '@keyturn/contract';
import {
  anyPdf,
  buildCase,
  buildClient,
  buildDocument,
  buildFirm,
  buildMatter,
  buildStoredDocument,
  buildTask,
  countStatements,
  createTestDatabase,
  withTestServer,
} from '@keyturn/testkit';
import { beforeAll, describe, expect, test } from 'vitest';
import { readConveyancingCase } from '../../testing/read-conveyancing-case.ts';
import { createSoftwareAuthenticator } from '../../testing/software-authenticator.ts';
import { readDocument, readDocuments } from './read-documents.ts';

const lines: string[] = [];
const server = withTestServer({
  env: { KEYTURN_PUBLIC_URL: 'https://clients.example.test', LOG_LEVEL: 'info' },
  logTo: { write: (line) => lines.push(line) },
});
beforeAll(async () => {
  await buildFirm(server.database);
});

const get = async (path: string, clientId: string, headers: object = {}) =>
  server.app.inject({
    url: `/api${path}`,
    headers: { ...(await server.signInAs(clientId)), ...headers },
  });
const post = async (path: string, clientId: string, payload: object = {}) =>
  server.app.inject({
    method: 'POST',
    url: `/api${path}`,
    headers: await server.signInAs(clientId),
    payload,
  });
const list = async (clientId: string): Promise<CaseDocument[]> => {
  const answer = await get('/documents', clientId);
  expect(answer.statusCode).toBe(200);
  return answer.json().data;
};

/** Unread documents of the list, which the client's count must equal. */
const unreadIn = (documents: CaseDocument[]) =>
  documents.filter((document) => document.read_at === null && document.superseded_by === null).length;
const unreadOfCase = async (caseId: string, clientId: string) =>
  (await readConveyancingCase(server.database, { caseId, clientId }))?.unread_documents;

describe('GET /documents', () => {
  test('lists every document of the active case, newest first, with every field of the contract', async () => {
    const built = await buildCase(server.database, { matters: [{ matterType: 'sale' }, {}] });
    const [sale] = built.matters;
    const older = await buildDocument(server.database, {
      matterId: sale?.id ?? '',
      sharedAt: new Date('2026-11-01T09:00:00Z'),
    });
    const newer = await buildDocument(server.database, {
      matterId: built.matters[1]?.id ?? '',
      sharedAt: new Date('2026-11-02T09:00:00Z'),
    });
    const found = await list(built.clientId);
    expect(found.map(({ id }) => id)).toEqual([newer.id, older.id]);
    expect(found[1]).toEqual({
      id: older.id,
      created_at: older.createdAt.toISOString(),
      updated_at: older.updatedAt.toISOString(),
      matter_id: sale?.id,
      matter_type: 'sale',
      group: 'contract',
      title: 'Draft contract',
      file_name: 'draft-contract.pdf',
      media_type: 'application/pdf',
      size: 48_213,
      pages: 6,
      sha256: older.sha256,
      uploaded_by: 'Alder & Finch',
      shared_at: '2026-11-01T09:00:00.000Z',
      read_at: null,
      supersedes: null,
      superseded_by: null,
      version: 1,
      signature: null,
    });
  });

  test('does not list documents of another case, which a client on both can read one by one', async () => {
    const { id: clientId } = await buildClient(server.database);
    const past = await buildCase(server.database, {
      clients: [{ id: clientId }],
      status: 'completed',
      matters: [{ documents: [{}] }],
    });
    await buildCase(server.database, { clients: [{ id: clientId }] });
    const [document = ''] = past.matters[0]?.documentIds ?? [];
    expect(await list(clientId)).toEqual([]);
    expect((await get(`/documents/${document}`, clientId)).json().data.id).toBe(document);
  });

  test('lists no documents to a client without a case', async () => {
    expect(await list((await buildClient(server.database)).id)).toEqual([]);
  });

  test('the list of documents takes one statement for any number of documents', async () => {
    const stored = await createTestDatabase();
    const built = await buildCase(stored.database, {
      clients: [{}, {}],
      matters: [{ documents: Array.from({ length: 12 }, () => ({ signing: 'simple' as const })) }, {}],
    });
    const counted = countStatements(stored.url);
    const [document = ''] = built.matters[0]?.documentIds ?? [];
    const { clientId } = built;
    expect(
      await counted.countStatementsOf(() => readDocuments({}).forClient(counted.database, clientId)),
    ).toBe(1);
    expect(
      await counted.countStatementsOf(() => readDocument(document).forClient(counted.database, clientId)),
    ).toBe(1);
    await counted.close();
    await stored.drop();
  });

  test('the list of documents shows versions and ignores links to documents of another case', async () => {
    const built = await buildCase(server.database);
    const elsewhere = await buildCase(server.database, { matters: [{ documents: [{}] }] });
    const { database } = server;
    const first = await buildDocument(database, {
      matterId: built.matterId,
      supersedesId: elsewhere.matters[0]?.documentIds[0] ?? '',
    });
    const second = await buildDocument(database, { matterId: built.matterId, supersedesId: first.id });
    const read = async (id: string) => (await get(`/documents/${id}`, built.clientId)).json().data;
    expect(await read(first.id)).toMatchObject({ version: 1, supersedes: null, superseded_by: second.id });
    expect(await read(second.id)).toMatchObject({ version: 2, supersedes: first.id, superseded_by: null });
    const [theirs] = await list(elsewhere.clientId);
    expect(theirs).toMatchObject({ version: 1, superseded_by: null });
  });

  test('the list of documents agrees with the case’s unread count after reading and after new versions', async () => {
    const built = await buildCase(server.database, {
      clients: [{}, {}],
      matters: [{ documents: [{}, {}] }, { documents: [{}] }],
    });
    const [amelia, tom] = built.clientIds as [string, string];
    const agree = async (expected: [number, number]) => {
      expect([unreadIn(await list(amelia)), unreadIn(await list(tom))]).toEqual(expected);
      expect([await unreadOfCase(built.id, amelia), await unreadOfCase(built.id, tom)]).toEqual(expected);
    };
    const [first = '', second = ''] = built.matters[0]?.documentIds ?? [];
    await agree([3, 3]);
    await post(`/documents/${first}/read`, amelia);
    await agree([2, 3]);
    // A new version is unread, and the old one no longer counts, read or not.
    await buildDocument(server.database, { matterId: built.matterId, supersedesId: first });
    await agree([3, 3]);
    await buildDocument(server.database, { matterId: built.matters[1]?.id ?? '', supersedesId: second });
    await agree([3, 3]);
    const elsewhere = await buildMatter(server.database, {
      caseId: (await buildCase(server.database)).id,
    });
    await buildDocument(server.database, { matterId: elsewhere.id, supersedesId: second });
    await agree([3, 3]);
  });
});

describe('marking a document as read', () => {
  test('marking a document as read applies to this client only, and keeps the first time', async () => {
    const built = await buildCase(server.database, { clients: [{}, {}], matters: [{ documents: [{}] }] });
    const [amelia, tom] = built.clientIds as [string, string];
    const [id = ''] = built.matters[0]?.documentIds ?? [];
    const opened = (await post(`/documents/${id}/read`, amelia)).json().data;
    expect(opened).toMatchObject({ id, read_at: expect.stringMatching(/Z$/) });
    const again = await Promise.all([1, 2, 3].map(() => post(`/documents/${id}/read`, amelia)));
    for (const answer of again) expect(answer.json().data.read_at).toBe(opened.read_at);
    expect((await get(`/documents/${id}`, tom)).json().data.read_at).toBeNull();
  });
});

describe('GET /documents/{id}/content', () => {
  test('the content of a document is sent as its exact bytes in a sandboxed attachment, or as ranges of them', async () => {
    const { clientId, matterId } = await buildCase(server.database);
    const content = anyPdf();
    const { id, sha256 } = await buildStoredDocument(server.database, server.files, {
      matterId,
      content,
      fileName: '李 "contract".pdf',
    });
    const whole = await get(`/documents/${id}/content`, clientId);
    expect(whole.statusCode).toBe(200);
    expect(whole.rawPayload.equals(content)).toBe(true);
    expect(whole.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': expect.stringMatching(/^attachment; .*filename\*=UTF-8''/),
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, no-store',
      etag: `"${sha256}"`,
      'x-content-type-options': 'nosniff',
    });
    const part = await get(`/documents/${id}/content`, clientId, { range: 'bytes=10-19' });
    expect(part.statusCode).toBe(206);
    expect(part.rawPayload.equals(content.subarray(10, 20))).toBe(true);
    expect((await get(`/documents/${id}/content?version=first`, clientId)).statusCode).toBe(422);
  });

  test.each([
    ['is missing', (sha256: string) => server.files.lose(sha256)],
    ['is cut short', (sha256: string) => server.files.tamper(sha256, (content) => content.subarray(0, 40))],
    ['is altered', (sha256: string) => server.files.tamper(sha256, (content) => content.fill(32, 50, 60))],
  ])('fault 63: serves no part of a file that %s', async (_how, damage) => {
    const { clientId, matterId } = await buildCase(server.database);
    const { id, sha256 } = await buildStoredDocument(server.database, server.files, { matterId });
    expect((await get(`/documents/${id}/content`, clientId)).statusCode).toBe(200);
    await damage(sha256);
    for (const headers of [{}, { range: 'bytes=0-9' }]) {
      const answer = await get(`/documents/${id}/content`, clientId, headers);
      expect({ status: answer.statusCode, code: answer.json().code }).toEqual({
        status: 409,
        code: 'document_damaged',
      });
    }
    // Its metadata can still be read.
    expect((await get(`/documents/${id}`, clientId)).statusCode).toBe(200);
  });
});

describe('a document id that is a path', () => {
  let own: { clientId: string; id: string; sha256: string };
  beforeAll(async () => {
    const { clientId, matterId } = await buildCase(server.database);
    own = { clientId, ...(await buildStoredDocument(server.database, server.files, { matterId })) };
  });

  test.each([
    ['encoded slashes', encodeURIComponent('../../etc/passwd')],
    ['encoded dots', '%2e%2e%2f%2e%2e%2f'],
    ['backslashes', encodeURIComponent('..\\..\\etc\\passwd')],
    ['a UNC path', encodeURIComponent('\\\\host\\share\\passwd')],
    ['a drive', encodeURIComponent('C:\\etc\\passwd')],
    ['full-width dots and slashes', encodeURIComponent('．．／etc／passwd')],
    ['dots in an overlong encoding', '%c0%ae%c0%ae%c0%af'],
    ['NUL', '%00'],
    ['NUL after its own id', (id: string) => `${id}%00.pdf`],
    ['a path after its own id', (id: string) => id + encodeURIComponent('/../../etc/passwd')],
    ['its SHA-256', (_id: string, sha256: string) => sha256],
  ])('fault 62: answers 404 and logs the request for %s instead of a document id', async (_what, asked) => {
    const { clientId, id, sha256 } = own;
    const name = typeof asked === 'string' ? asked : asked(id, sha256);
    const requests = [
      await get(`/documents/${name}`, clientId),
      await get(`/documents/${name}/content`, clientId),
      await post(`/documents/${name}/read`, clientId),
    ];
    for (const { statusCode, json, headers } of requests) {
      expect({ statusCode, code: json().code }).toEqual({ statusCode: 404, code: 'not_found' });
      const logged = () =>
        lines.map((line) => JSON.parse(line)).filter(({ reqId }) => reqId === headers['x-request-id']);
      await expect.poll(logged).toContainEqual(expect.objectContaining({ event: 'request', status: 404 }));
    }
  });
});

describe('POST /documents/{id}/signature', () => {
  test('a document is signed for each client separately, and the task completed for those who have signed', async () => {
    await server.pool.query(
      `insert into webhook_endpoints (id, url, description, event_types, state, created_at, updated_at)
       values (gen_random_uuid(), 'https://firm.test', 'A test', '{task.completed}', 'enabled', now(), now())`,
    );
    const built = await buildCase(server.database, {
      clients: [
        { firstName: 'Amelia', lastName: 'Okafor' },
        { firstName: 'Tom', lastName: 'Okafor' },
      ],
    });
    const [amelia, tom] = built.clientIds as [string, string];
    const { id, sha256 } = await buildStoredDocument(server.database, server.files, {
      matterId: built.matterId,
      signing: 'simple' as const,
    });
    const task = await buildTask(server.database, {
      caseId: built.id,
      kind: 'sign_document',
      documentId: id,
    });
    const taskOf = async (clientId: string) =>
      (await readConveyancingCase(server.database, { caseId: built.id, clientId }))?.tasks[0]?.status;

    const body = { name: 'Amelia Okafor', consent: signatureConsent('exchange'), sha256 };
    const signed = await post(`/documents/${id}/signature`, amelia, body);
    expect(signed.statusCode).toBe(200);
    expect(signed.json().data.signature).toMatchObject({ required: false, signed_by: 'Amelia Okafor' });
    expect([await taskOf(amelia), await taskOf(tom)]).toEqual(['done', 'open']);
    expect((await get(`/documents/${id}`, tom)).json().data.signature).toMatchObject({
      required: true,
      signed_at: null,
      others: [{ signed_at: expect.any(String) }],
    });

    const copy = await get(`/documents/${id}/content`, tom);
    expect(copy.headers['content-disposition']).toContain('(signed).pdf');
    const original = await get(`/documents/${id}/content?version=original`, tom);
    expect(original.rawPayload.length).toBeLessThan(copy.rawPayload.length);

    expect((await post(`/documents/${id}/signature`, amelia, body)).json().code).toBe('already_signed');
    expect((await post(`/documents/${id}/signature`, tom, { ...body, name: 'Tom Okafor' })).statusCode).toBe(
      200,
    );
    expect([await taskOf(amelia), await taskOf(tom)]).toEqual(['done', 'done']);
    const { rows } = await server.pool.query("select data ->> 'task' as task from webhook_events");
    expect(rows).toEqual([{ task: task.reference }]);
  });

  test.each([
    ['no consent', { consent: false }],
    ['no name', { name: '' }],
    ['a hash of another form', { sha256: 'A'.repeat(64) }],
    ['an empty drawing', { drawing: { width: 1, height: 1, strokes: [] } }],
    ['a point below nought', { drawing: { width: 1, height: 1, strokes: [[-1, 0]] } }],
    ['more than is asked for', { address: '127.0.0.1' }],
  ])('the signature of a document is rejected with %s', async (_what, change) => {
    const { clientId, matterId } = await buildCase(server.database);
    const { id, sha256 } = await buildStoredDocument(server.database, server.files, {
      matterId,
      signing: 'simple' as const,
    });
    const body = { name: 'Amelia Okafor', consent: signatureConsent('exchange'), sha256, ...change };
    expect((await post(`/documents/${id}/signature`, clientId, body)).statusCode).toBe(422);
    expect((await get(`/documents/${id}`, clientId)).json().data.signature.required).toBe(true);
  });

  test('a document whose firm asks for a confirmation is signed after the client’s own passkey, and not after another client’s', async () => {
    const origin = 'https://clients.example.test';
    const { clientId, matterId } = await buildCase(server.database, {
      clients: [{ firstName: 'Amelia', lastName: 'Okafor' }],
    });
    const { id, sha256 } = await buildStoredDocument(server.database, server.files, {
      matterId,
      signing: 'simple' as const,
      confirmIdentity: true,
    });
    const openSession = async (ofClient: string) => {
      const headers = { ...(await server.signInAs(ofClient)), origin };
      return async (path: string, payload: object = {}) => {
        const answer = await server.app.inject({ method: 'POST', url: `/api${path}`, headers, payload });
        const { code, data } = answer.body ? answer.json() : {};
        return { status: answer.statusCode, code, data };
      };
    };
    const addPasskey = async (call: Awaited<ReturnType<typeof openSession>>) => {
      const authenticator = createSoftwareAuthenticator(origin);
      const { data } = await call('/account/passkeys/options');
      const credential = authenticator.register(data.options);
      expect(await call('/account/passkeys', { credential, name: 'Phone' })).toMatchObject({ status: 200 });
      return authenticator;
    };
    const own = await openSession(clientId);
    const ownPasskey = await addPasskey(own);
    const otherPasskey = await addPasskey(await openSession((await buildCase(server.database)).clientId));
    const sign = () =>
      own(`/documents/${id}/signature`, {
        name: 'Amelia Okafor',
        consent: signatureConsent('exchange'),
        sha256,
      });
    const confirm = async (passkey: typeof ownPasskey) => {
      const { data } = await own('/account/confirm/options');
      return own('/account/confirm/passkey', { credential: passkey.authenticate(data.options) });
    };
    expect(await sign()).toMatchObject({ status: 403, code: 'identity_not_confirmed' });
    expect(await confirm(otherPasskey)).toMatchObject({ code: 'passkey_rejected' });
    expect(await sign()).toMatchObject({ status: 403, code: 'identity_not_confirmed' });
    expect((await confirm(ownPasskey)).status).toBe(204);
    expect(await sign()).toMatchObject({ status: 200, data: { signature: { required: false } } });
  });
});
