import { type CallKey, calls } from '@keyturn/contract';
import { buildCase, buildStoredDocument, runLength, withTestServer } from '@keyturn/testkit';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';

const server = withTestServer();
let clientHeaders: { authorization: string };
let ids: string[];
beforeAll(async () => {
  const built = await buildCase(server.database, {});
  clientHeaders = await server.signInAs(built.clientId);
  const { rows } = await server.pool.query('select id from case_searches');
  const document = await buildStoredDocument(server.database, server.files, {
    matterId: built.matterId,
    signing: 'simple' as const,
  });
  ids = [built.id, document.id, ...rows.map((row) => row.id as string)];
});

const routes: readonly (readonly [string, string])[] = [
  ...(Object.keys(calls) as CallKey[]).map((key) => key.split(' ') as [string, string]),
  ['POST', '/webhooks/sandbox'],
  ['POST', '/webhooks/{id}'],
  ['GET', '/sandbox/payment-intents/{id}'],
  ['POST', '/sandbox/payment-intents/{id}/confirm'],
  ['POST', '/sandbox/payment-intents/{id}/authenticate'],
];

/** Valid ids, and other values that a caller may send instead. */
const anyId = () =>
  fc.oneof(
    fc.constantFrom(...ids, '0', '-1', 'null', '../../etc/passwd', '%00', "' or 1=1 --", '{id}'),
    fc.uuid(),
    fc.string({ maxLength: 300 }),
    fc.string({ unit: 'binary', maxLength: 50 }),
  );
const anyQuery = fc.dictionary(
  fc.oneof(fc.constantFrom('limit', 'cursor', 'category', 'version'), fc.string({ maxLength: 20 })),
  fc.string({ maxLength: 100 }),
  { maxKeys: 4 },
);
/** JSON values, objects with keys of real bodies, and invalid JSON. */
const anyBody = fc.oneof(
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc
    .dictionary(
      fc.constantFrom(
        'email',
        'password',
        'id',
        'order_now',
        'own_card',
        'payer_name',
        'receipt_email',
        'card',
        'client_secret',
        'outcome',
        'name',
        'consent',
        'sha256',
        'drawing',
        'category',
        'amount',
        'reference',
        'matter_id',
      ),
      fc.jsonValue(),
    )
    .map((value) => JSON.stringify(value)),
  fc
    .record(
      {
        category: fc.constantFrom('other', 'legal_fees'),
        amount: fc.integer(),
        own_card: fc.boolean(),
        matter_id: fc.string({ unit: 'binary' }),
        bill_id: fc.string({ unit: 'binary' }),
        reference: fc.string({ unit: 'binary' }),
        payer_name: fc.string({ unit: 'binary' }),
      },
      { requiredKeys: ['category', 'amount', 'own_card'] },
    )
    .map((value) => JSON.stringify(value)),
  fc.string(),
  fc.constantFrom(
    '',
    'NaN',
    '{"a":1e999}',
    '{"id":9007199254740993}',
    '{"__proto__":{}}',
    '\ufeff{}',
    '{"id":"\\ud800"}',
  ),
);
const anyHeaders = fc.record(
  {
    'content-type': fc.constantFrom(
      'application/json',
      'application/json; charset=utf-16',
      'text/plain',
      'multipart/form-data',
    ),
    'idempotency-key': fc.string({ unit: 'grapheme-ascii', maxLength: 300 }),
    'sandbox-signature': fc.string({ unit: 'grapheme-ascii', maxLength: 100 }),
    'x-activity': fc.string({ unit: 'grapheme-ascii', maxLength: 20 }),
  },
  { requiredKeys: [] },
);

describe('arbitrary input', () => {
  test.each(routes)('%s %s answers any input with 2xx or 4xx, never 5xx', async (method, path) => {
    await fc.assert(
      fc.asyncProperty(
        anyId(),
        anyQuery,
        anyBody,
        anyHeaders,
        fc.boolean(),
        async (id, query, payload, headers, asClient) => {
          const url = `/api${path.replace('{id}', encodeURIComponent(id.toWellFormed()))}?${new URLSearchParams(query)}`;
          const response = await server.app.inject({
            method: method as 'GET',
            url,
            headers: { 'content-type': 'application/json', ...headers, ...(asClient ? clientHeaders : {}) },
            ...(method === 'GET' ? {} : { payload }),
          });
          expect([2, 4], `${method} ${url}\n${payload}\n${response.body}`).toContain(
            Math.floor(response.statusCode / 100),
          );
          if (response.statusCode >= 400)
            expect(response.body).not.toMatch(/ at .*:\d+:\d+|select |insert |syntax error/i);
        },
      ),
      { numRuns: runLength({ short: 30, long: 1_000 }) },
    );
  });
});
