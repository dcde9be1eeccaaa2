import { buildCase, withTestServer } from '@keyturn/testkit';
import { expect, test } from 'vitest';

const server = withTestServer({ env: { KEYTURN_PAYMENT_PROVIDER: 'off' } });

test('accepts no payment while the payment provider is switched off', async () => {
  const { clientId } = await buildCase(server.database, {});
  const headers = await server.signInAs(clientId);
  const { rows } = await server.pool.query('select id from case_searches');
  const id = rows[0].id as string;
  const searches = (await server.app.inject({ url: '/api/case-searches', headers })).json().data;
  expect(searches).not.toEqual([]);
  expect(searches.filter(({ payable }: { payable: boolean }) => payable)).toEqual([]);
  const search = (await server.app.inject({ url: `/api/case-searches/${id}`, headers })).json().data;
  expect(search.payable).toBe(false);
  for (const [url, payload] of [
    [`/api/case-searches/${id}/payments`, {}],
    ['/api/other-payments', { category: 'other', amount: 500, own_card: true }],
  ] as const) {
    const response = await server.app.inject({ method: 'POST', url, headers, payload });
    expect([url, response.statusCode, response.json().code]).toEqual([url, 409, 'not_payable']);
  }
  const { rows: started } = await server.pool.query('select id from payments');
  expect(started).toEqual([]);
  expect(server.app.hasRoute({ method: 'GET', url: '/api/sandbox/payment-intents/:id' })).toBe(false);
});
