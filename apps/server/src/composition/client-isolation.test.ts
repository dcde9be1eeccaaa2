import { type CallKey, calls, signatureConsent } from '@keyturn/contract';
import { buildCase, buildStoredDocument, createTestServer, ownCard, type TestServer } from '@keyturn/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: TestServer;
let ownerIds: {
  caseId: string;
  matterId: string;
  caseSearchId: string;
  paymentId: string;
  documentId: string;
  sessionId: string;
};
/** A complete body with the document's real hash, so that the wrong client is the only reason for a rejection. */
let signature: object;
let ownerHeaders: { authorization: string };
let strangerHeaders: { authorization: string };
beforeAll(async () => {
  server = await createTestServer();
  const built = await buildCase(server.database, {});
  const stranger = await buildCase(server.database, {});
  ownerHeaders = await server.signInAs(built.clientId, { isSteppedUp: true });
  strangerHeaders = await server.signInAs(stranger.clientId, { isSteppedUp: true });
  const { rows } = await server.pool.query(
    'select s.id from case_searches s join matters m on m.id = s.matter_id where m.case_id = $1',
    [built.id],
  );
  const caseSearchId = rows[0].id as string;
  const started = await send('POST', `/case-searches/${caseSearchId}/payments`, ownerHeaders, ownCard);
  const document = await buildStoredDocument(server.database, server.files, {
    matterId: built.matterId,
    signing: 'simple' as const,
  });
  const sessions = await send('GET', '/sessions', ownerHeaders);
  ownerIds = {
    caseId: built.id,
    matterId: built.matterId,
    caseSearchId,
    paymentId: started.json().data.payment_id,
    documentId: document.id,
    sessionId: sessions.json().data[0].id,
  };
  signature = { name: 'A. Stranger', consent: signatureConsent('exchange'), sha256: document.sha256 };
});
afterAll(() => server.stop());

const send = (method: string, path: string, headers: object, payload?: object) =>
  server.app.inject({
    method: method as 'GET',
    url: `/api${path}`,
    headers: { ...headers },
    ...(payload ? { payload } : {}),
  });

const unknownId = '00000000-0000-4000-8000-000000000000';

/** Every call that takes an id. A new call must be added here or below. */
const callsWithId: Partial<Record<CallKey, (id: string) => [string, string, object?]>> = {
  'PUT /client/active-case': (id) => ['PUT', '/client/active-case', { id }],
  'GET /case-searches/{id}': (id) => ['GET', `/case-searches/${id}`],
  'POST /case-searches/{id}/payments': (id) => ['POST', `/case-searches/${id}/payments`],
  'POST /other-payments': (id) => [
    'POST',
    '/other-payments',
    { category: 'other', amount: 1_000, own_card: true, matter_id: id },
  ],
  'GET /payments/{id}': (id) => ['GET', `/payments/${id}`],
  'DELETE /sessions/{id}': (id) => ['DELETE', `/sessions/${id}`],
  'GET /payment-links/{id}': (id) => ['GET', `/payment-links/${id}`],
  'GET /documents/{id}': (id) => ['GET', `/documents/${id}`],
  'GET /documents/{id}/content': (id) => ['GET', `/documents/${id}/content`],
  'POST /documents/{id}/read': (id) => ['POST', `/documents/${id}/read`],
  'POST /documents/{id}/signature': (id) => ['POST', `/documents/${id}/signature`, signature],
  'GET /payments/{id}/receipt': (id) => ['GET', `/payments/${id}/receipt`],
  'POST /payments/{id}/cancel': (id) => ['POST', `/payments/${id}/cancel`],
  'GET /payments/{id}/intent': (id) => ['GET', `/payments/${id}/intent`],
  'POST /payments/{id}/confirm': (id) => ['POST', `/payments/${id}/confirm`, {}],
  'POST /account/authenticators/{id}/activate': (id) => [
    'POST',
    `/account/authenticators/${id}/activate`,
    { code: '123456', name: 'Phone' },
  ],
  'PUT /account/factors/{id}': (id) => ['PUT', `/account/factors/${id}`, { name: 'Phone' }],
  'DELETE /account/factors/{id}': (id) => ['DELETE', `/account/factors/${id}`],
  'POST /payments/{id}/refresh': (id) => ['POST', `/payments/${id}/refresh`],
};
/** Every call without an id; such a call concerns only its caller. */
const callsWithoutId: CallKey[] = [
  'POST /login',
  'POST /logout',
  'POST /passkey/options',
  'POST /passkey/login',
  'GET /account',
  'PUT /account/password',
  'POST /account/confirm',
  'POST /account/confirm/options',
  'POST /account/confirm/passkey',
  'POST /account/authenticators',
  'POST /account/passkeys/options',
  'POST /account/passkeys',
  'POST /account/recovery-codes',
  'POST /account/email',
  'DELETE /account/email',
  'PUT /account/phone',
  'POST /email-change/confirm',
  'POST /email-change/stop',
  'GET /sessions',
  'DELETE /sessions',
  'POST /password/forgot',
  'POST /password/check-link',
  'POST /password/reset',
  'GET /maintenance',
  'GET /client',
  'GET /case-searches',
  'GET /documents',
  'GET /bills',
  'GET /payments',
  'GET /milestones',
  'GET /case-history',
];

describe('client isolation', () => {
  test('client isolation is tested for every call of the contract', () => {
    expect([...Object.keys(callsWithId), ...callsWithoutId].sort()).toEqual(Object.keys(calls).sort());
  });

  test.each(Object.entries(callsWithId))(
    'fault 61: answers %s with an id of another client exactly as with an unknown id',
    async (_key, request) => {
      const unknown = await send(...withHeaders(request(unknownId), strangerHeaders));
      expect(unknown.statusCode).toBe(404);
      for (const id of Object.values(ownerIds)) {
        const response = await send(...withHeaders(request(id), strangerHeaders));
        expect({ status: response.statusCode, body: response.json() }).toEqual({
          status: 404,
          body: unknown.json(),
        });
      }
      for (const id of ['1', '..%2f', '%00', 'NULL', unknownId.toUpperCase(), `${unknownId}0`]) {
        expect((await send(...withHeaders(request(id), strangerHeaders))).statusCode, id).toBe(404);
      }
    },
  );

  test('gives the owner access to everything that is withheld from others', async () => {
    expect((await send('GET', `/case-searches/${ownerIds.caseSearchId}`, ownerHeaders)).statusCode).toBe(200);
    expect((await send('GET', `/payments/${ownerIds.paymentId}`, ownerHeaders)).statusCode).toBe(200);
    expect((await send('GET', `/documents/${ownerIds.documentId}`, ownerHeaders)).statusCode).toBe(200);
    expect((await send('GET', `/documents/${ownerIds.documentId}/content`, ownerHeaders)).statusCode).toBe(
      200,
    );
    expect((await send('GET', '/payments', ownerHeaders)).body).toContain(ownerIds.paymentId);
    const otherPayment = { category: 'other', amount: 1_000, own_card: true, matter_id: ownerIds.matterId };
    expect((await send('POST', '/other-payments', ownerHeaders, otherPayment)).statusCode).toBe(200);
    expect((await send('POST', `/payments/${ownerIds.paymentId}/cancel`, ownerHeaders)).statusCode).toBe(200);
    expect((await send('PUT', '/client/active-case', ownerHeaders, { id: ownerIds.caseId })).statusCode).toBe(
      200,
    );
  });

  test('lets no other client mark a document as read or sign it', async () => {
    for (const key of ['POST /documents/{id}/read', 'POST /documents/{id}/signature'] as const) {
      const request = callsWithId[key]?.(ownerIds.documentId) ?? expect.fail(key);
      expect((await send(...withHeaders(request, strangerHeaders))).statusCode).toBe(404);
    }
    const { data } = (await send('GET', `/documents/${ownerIds.documentId}`, ownerHeaders)).json();
    expect(data).toMatchObject({ read_at: null, signature: { required: true, others: [] } });
    const { rows } = await server.pool.query(
      'select document_id from document_reads union all select document_id from document_signatures',
    );
    expect(rows).toEqual([]);
  });

  test('lists include no data of another client', async () => {
    const lists = ['/client', '/case-searches', '/payments', '/documents', '/milestones', '/case-history'];
    for (const path of lists) {
      const { body } = await send('GET', path, strangerHeaders);
      for (const id of Object.values(ownerIds)) expect(body).not.toContain(id);
    }
  });

  test.each((Object.keys(calls) as CallKey[]).filter((key) => calls[key].access === 'client'))(
    'answers %s without a sign-in with 401',
    async (key) => {
      const [method, path] = key.split(' ') as [string, string];
      const response = await send(method, path.replace('{id}', ownerIds.caseSearchId), {});
      expect(response.statusCode).toBe(401);
    },
  );
});

function withHeaders([method, path, payload]: [string, string, object?], headers: object) {
  return [method, path, headers, payload] as const;
}
