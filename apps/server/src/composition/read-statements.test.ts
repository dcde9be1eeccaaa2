import { type CallKey, calls } from '@keyturn/contract';
import {
  buildBill,
  buildCase,
  buildFirm,
  buildPayment,
  buildStoredDocument,
  createTestServer,
  recordStatements,
  type TestServer,
} from '@keyturn/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: TestServer;
let headers: { authorization: string };
/** The id of a record for each call that takes one. */
let ids: Partial<Record<CallKey, string>>;
beforeAll(async () => {
  server = await createTestServer();
  await buildFirm(server.database);
  const built = await buildCase(server.database, {
    matters: [
      { searches: [{}, {}], documents: [{}], milestones: [{ key: 'searches_paid', status: 'current' }] },
    ],
  });
  const paid = {
    caseId: built.id,
    clientId: built.clientId,
    status: 'succeeded',
    paidAt: new Date(),
  } as const;
  const payment = await buildPayment(server.database, {
    ...paid,
    caseSearchId: built.caseSearchId,
    lines: [undocumented({ text: 'A search', net: 1, vat_rate: 0, vat: 0, gross: 1, client_money: true })],
    supplier: undocumented({ name: 'The firm', address: [], vat_number: null }),
  });
  await server.pool.query(
    `with changed_case as (update conveyancing_cases set handlers = handlers || $1),
       changed_firm as (update installation set firm = firm || $2)
     update matters set property = property || $2, parties = parties || $3`,
    [
      [undocumented({ name: 'H', role: 'Solicitor', phone: '0117 496 0101', email: 'h@example.test' })],
      undocumented({}),
      [undocumented({ role: 'lender', name: 'A bank', contact: null })],
    ].map((value) => JSON.stringify(value)),
  );
  const document = await buildStoredDocument(server.database, server.files, { matterId: built.matterId });
  await buildBill(server.database, { caseId: built.id });
  headers = await server.signInAs(built.clientId);
  ids = {
    'GET /case-searches/{id}': built.caseSearchId,
    'GET /documents/{id}': document.id,
    'GET /documents/{id}/content': document.id,
    'GET /payments/{id}': payment.id,
  };
  // After this request, the server has cached the client of the token.
  await get('GET /bills');
});
afterAll(() => server.stop());

/** Adds a field that the contract does not have, as an older version may have stored. */
const undocumented = <Value extends object>(value: Value): Value => ({ ...value, feed_hash: 'undocumented' });

const get = (key: CallKey) =>
  server.app.inject({ url: `/api${key.replace('GET ', '').replace('{id}', ids[key] ?? '')}`, headers });

/** Lists the statements of a call, except the read of the maintenance state, which happens once a second. */
const statementsOf = async (key: CallKey) => {
  const sent = await recordStatements(async () => expect((await get(key)).statusCode).toBe(200));
  return sent.filter(({ text }) => !text.includes('from "maintenance"')).map(({ name }) => name);
};

/** Each read, with its statement. */
const reads: Partial<Record<CallKey, string>> = {
  'GET /client': 'read_client',
  'GET /case-searches': 'read_case_searches',
  'GET /case-searches/{id}': 'read_case_search',
  'GET /milestones': 'read_milestones',
  'GET /case-history': 'read_case_history',
  'GET /documents': 'read_documents',
  'GET /documents/{id}': 'read_document',
  'GET /bills': 'read_bills',
  'GET /payments': 'read_payments',
  'GET /payments/{id}': 'read_payment',
};
/** Calls that answer with a file, ask the provider, record that a link was opened, or that clients seldom make. */
const others: CallKey[] = [
  'GET /account',
  'GET /sessions',
  'GET /documents/{id}/content',
  'GET /payments/{id}/receipt',
  'GET /payments/{id}/intent',
  'GET /payment-links/{id}',
];

describe('reading', () => {
  test('every read-only call of a signed-in client is in the list of reads', () => {
    const expected = Object.keys(calls).filter(
      (key) => key.startsWith('GET ') && calls[key as CallKey].access === 'client',
    );
    expect([...Object.keys(reads), ...others].sort()).toEqual(expected.sort());
  });

  test.each(Object.entries(reads) as [CallKey, string][])(
    'answers %s with the single statement %s, which also finds the session',
    async (key, name) => {
      expect(await statementsOf(key)).toEqual([name]);
      expect(await statementsOf(key)).toEqual([name]);
    },
  );

  test.each(Object.keys(reads) as CallKey[])(
    'answers %s without fields of JSON columns that are not in the contract',
    async (key) => {
      const { statusCode, body } = await get(key);
      expect(statusCode).toBe(200);
      expect(body).not.toContain('undocumented');
    },
  );

  test('opening a file takes four statements: the session, the document, its signatures and the record of who was sent it', async () => {
    expect(await statementsOf('GET /documents/{id}/content')).toHaveLength(4);
  });
});
