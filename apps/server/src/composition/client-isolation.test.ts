import { type CallKey, calls } from '@keyturn/contract';
import { buildCase, buildStoredDocument, createTestServer, type TestServer } from '@keyturn/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: TestServer;
let theirs: {
  caseId: string;
  matterId: string;
  caseSearchId: string;
  paymentId: string;
  documentId: string;
};
/** With all that there is to know of the document. */
let signature: object;
let other: { authorization: string };
let owner: { authorization: string };
beforeAll(async () => {
  server = await createTestServer();
  const built = await buildCase(server.database, {});
  const stranger = await buildCase(server.database, {});
  owner = await server.signInAs(built.clientId);
  other = await server.signInAs(stranger.clientId);
  const { rows } = await server.pool.query(
    'select s.id from case_searches s join matters m on m.id = s.matter_id where m.case_id = $1',
    [built.id],
  );
  const caseSearchId = rows[0].id as string;
  const started = await ask('POST', `/case-searches/${caseSearchId}/payments`, owner);
  const document = await buildStoredDocument(server.database, server.files, {
    matterId: built.matterId,
    signatureRequired: true,
  });
  theirs = {
    caseId: built.id,
    matterId: built.matterId,
    caseSearchId,
    paymentId: started.json().data.payment_id,
    documentId: document.id,
  };
  signature = { name: 'A. Stranger', consent: true, sha256: document.sha256 };
});
afterAll(() => server.stop());

const ask = (method: string, path: string, headers: object, payload?: object) =>
  server.app.inject({
    method: method as 'GET',
    url: `/api${path}`,
    headers: { ...headers },
    ...(payload ? { payload } : {}),
  });

const nobodys = '00000000-0000-4000-8000-000000000000';

/** Every call that names something: how to ask for it by id. A new call must be entered here. */
const naming: Partial<Record<CallKey, (id: string) => [string, string, object?]>> = {
  'PUT /client/active-case': (id) => ['PUT', '/client/active-case', { id }],
  'GET /case-searches/{id}': (id) => ['GET', `/case-searches/${id}`],
  'POST /case-searches/{id}/payments': (id) => ['POST', `/case-searches/${id}/payments`],
  'POST /other-payments': (id) => [
    'POST',
    '/other-payments',
    { category: 'other', amount: 1_000, own_card: true, matter_id: id },
  ],
  'GET /payments/{id}': (id) => ['GET', `/payments/${id}`],
  'GET /documents/{id}': (id) => ['GET', `/documents/${id}`],
  'GET /documents/{id}/content': (id) => ['GET', `/documents/${id}/content`],
  'POST /documents/{id}/read': (id) => ['POST', `/documents/${id}/read`],
  'POST /documents/{id}/signature': (id) => ['POST', `/documents/${id}/signature`, signature],
  'GET /payments/{id}/receipt': (id) => ['GET', `/payments/${id}/receipt`],
  'POST /payments/{id}/cancel': (id) => ['POST', `/payments/${id}/cancel`],
  'GET /payments/{id}/intent': (id) => ['GET', `/payments/${id}/intent`],
  'POST /payments/{id}/confirm': (id) => ['POST', `/payments/${id}/confirm`, {}],
  'POST /payments/{id}/refresh': (id) => ['POST', `/payments/${id}/refresh`],
};
/** Every call that names nothing, and speaks of the client's own alone. */
const own: CallKey[] = [
  'POST /login',
  'POST /logout',
  'POST /password/forgot',
  'POST /password/check-link',
  'POST /password/reset',
  'GET /maintenance',
  'GET /client',
  'GET /case-searches',
  'GET /documents',
  'GET /payments',
  'GET /milestones',
  'GET /case-history',
];

describe('what belongs to another client', () => {
  test('is asked for in every way that the contract has', () => {
    expect([...Object.keys(naming), ...own].sort()).toEqual(Object.keys(calls).sort());
  });

  test.each(Object.entries(naming))('answers %s as if it did not exist', async (_key, request) => {
    const unknown = await ask(...withHeaders(request(nobodys), other));
    expect(unknown.statusCode).toBe(404);
    for (const id of Object.values(theirs)) {
      const response = await ask(...withHeaders(request(id), other));
      expect({ status: response.statusCode, body: response.json() }).toEqual({
        status: 404,
        body: unknown.json(),
      });
    }
    for (const id of ['1', '..%2f', '%00', 'NULL', nobodys.toUpperCase(), `${nobodys}0`]) {
      expect((await ask(...withHeaders(request(id), other))).statusCode, id).toBe(404);
    }
  });

  test('is there for its owner', async () => {
    expect((await ask('GET', `/case-searches/${theirs.caseSearchId}`, owner)).statusCode).toBe(200);
    expect((await ask('GET', `/payments/${theirs.paymentId}`, owner)).statusCode).toBe(200);
    expect((await ask('GET', `/documents/${theirs.documentId}`, owner)).statusCode).toBe(200);
    expect((await ask('GET', `/documents/${theirs.documentId}/content`, owner)).statusCode).toBe(200);
    expect((await ask('GET', '/payments', owner)).body).toContain(theirs.paymentId);
    const other = { category: 'other', amount: 1_000, own_card: true, matter_id: theirs.matterId };
    expect((await ask('POST', '/other-payments', owner, other)).statusCode).toBe(200);
    expect((await ask('POST', `/payments/${theirs.paymentId}/cancel`, owner)).statusCode).toBe(200);
    expect((await ask('PUT', '/client/active-case', owner, { id: theirs.caseId })).statusCode).toBe(200);
  });

  test('is neither read nor signed by who asked', async () => {
    for (const key of ['POST /documents/{id}/read', 'POST /documents/{id}/signature'] as const) {
      const request = naming[key]?.(theirs.documentId) ?? expect.fail(key);
      expect((await ask(...withHeaders(request, other))).statusCode).toBe(404);
    }
    const { data } = (await ask('GET', `/documents/${theirs.documentId}`, owner)).json();
    expect(data).toMatchObject({ read_at: null, signature: { required: true, others: [] } });
    const { rows } = await server.pool.query(
      'select document_id from document_reads union all select document_id from document_signatures',
    );
    expect(rows).toEqual([]);
  });

  test('stands in no list', async () => {
    const lists = ['/client', '/case-searches', '/payments', '/documents', '/milestones', '/case-history'];
    for (const path of lists) {
      const { body } = await ask('GET', path, other);
      for (const id of Object.values(theirs)) expect(body).not.toContain(id);
    }
  });

  test.each((Object.keys(calls) as CallKey[]).filter((key) => calls[key].access === 'client'))(
    'needs a sign-in: %s',
    async (key) => {
      const [method, path] = key.split(' ') as [string, string];
      const response = await ask(method, path.replace('{id}', theirs.caseSearchId), {});
      expect(response.statusCode).toBe(401);
    },
  );
});

function withHeaders([method, path, payload]: [string, string, object?], headers: object) {
  return [method, path, headers, payload] as const;
}
