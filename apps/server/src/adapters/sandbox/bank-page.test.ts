import { buildCase, buildFirm, createTestServer, intentOf, type TestServer } from '@keyturn/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

describe('the bank’s page of the sandbox', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await createTestServer({ env: { KEYTURN_BANK_PURPOSES: 'search' } });
    await buildFirm(server.database);
  });
  afterAll(() => server.stop());

  const firm = 'https://firm.test';
  const goToBank = async (returnUrl = `${firm}/payment`) => {
    const { clientId, caseSearchId } = await buildCase(server.database);
    const started = await server.app.inject({
      method: 'POST',
      url: `/api/case-searches/${caseSearchId}/payments`,
      headers: await server.signInAs(clientId),
      payload: { method: 'bank', own_card: true, order_now: true, order_wording: '2026-12-unknown' },
    });
    const { client_secret } = started.json().data;
    return server.app.inject({
      method: 'POST',
      url: `/api/sandbox/payment-intents/${intentOf(client_secret)}/bank`,
      headers: { origin: firm },
      payload: { client_secret, return_url: returnUrl },
    });
  };
  const answer = (page: string, outcome: string) =>
    server.app.inject({
      method: 'POST',
      url: `${page}/${outcome}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: '',
    });

  test('the sandbox’s bank page shows the payment to approve, and redirects to the firm once it is answered', async () => {
    const { data } = (await goToBank()).json();
    expect(data).toMatchObject({ status: 'requires_action' });
    const page = `/api${data.redirect_url}`;
    const shown = await server.app.inject({ url: page });
    expect(shown.headers['content-type']).toContain('text/html');
    expect(shown.headers['content-security-policy']).toContain(`form-action 'self' ${firm}`);
    expect(shown.body).toContain('Approve this payment');
    const answered = await answer(page, 'approved');
    expect(answered.statusCode).toBe(303);
    expect(answered.headers.location).toBe(`${firm}/payment`);
    expect((await server.app.inject({ url: page })).body).toContain('There is nothing to approve');
    // A second answer from a page that is still open changes nothing.
    expect((await answer(page, 'declined')).statusCode).toBe(303);
    const { rows } = await server.pool.query('select status from sandbox_intents where bank_token = $1', [
      page.split('/').at(-1),
    ]);
    expect(['processing', 'succeeded']).toContain(rows[0]?.status);
  });

  test('the sandbox’s bank page never redirects to another site', async () => {
    for (const address of ['https://other.test/payment', 'javascript:alert(1)', 'payment']) {
      const refused = await goToBank(address);
      expect(refused.statusCode).toBe(422);
      expect(refused.json().errors).toHaveProperty('return_url');
    }
  });

  test('the sandbox’s bank page answers 404 for an unknown token or answer', async () => {
    const page = `/api${(await goToBank()).json().data.redirect_url}`;
    expect((await answer(page, 'unknown')).statusCode).toBe(404);
    expect((await server.app.inject({ url: '/api/sandbox/bank/bank_unknown' })).statusCode).toBe(404);
    expect((await answer('/api/sandbox/bank/bank_unknown', 'approved')).statusCode).toBe(404);
  });
});
