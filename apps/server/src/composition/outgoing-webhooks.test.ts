import { createHash } from 'node:crypto';
import { webhookEventTypes } from '@keyturn/contract/staff';
import {
  buildCase,
  createTestServer,
  measureSlowness,
  startWebhookReceiver,
  type TestServer,
  type WebhookReceiver,
} from '@keyturn/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEndpoint } from '../live/webhooks/endpoints.ts';

let server: TestServer;
let receiver: WebhookReceiver;
let secret = '';
beforeAll(async () => {
  server = await createTestServer({ env: { KEYTURN_PUBLIC_URL: 'https://clients.example.com' } });
  receiver = await startWebhookReceiver({ secret: () => secret });
  ({ secret } = await createEndpoint(
    {
      database: server.database,
      clock: () => new Date(),
      rules: { allowsPrivate: true, allowsHttp: true },
    },
    {
      url: receiver.url,
      description: 'Case management',
      eventTypes: webhookEventTypes,
      actor: { kind: 'command_line', id: null, name: 'rhian' },
    },
  ));
});
afterAll(async () => {
  await server.stop();
  await receiver.close();
});

const post = (path: string, payload: object, headers: Record<string, string> = {}) =>
  server.app.inject({ method: 'POST', url: `/api${path}`, headers, payload });

test('notifies the firm within moments when a client sets a first password and reads documents', async () => {
  const { clientId, reference, matters } = await buildCase(server.database, {
    clients: [{ reference: 'C-1042' }],
    matters: [{ reference: 'M-1', documents: [1, 2, 3].map((number) => ({ reference: `D-${number}` })) }],
  });
  const token = 'a'.repeat(43);
  await server.pool.query(
    `insert into password_links (token_hash, client_id, purpose, created_at, expires_at)
     values ($1, $2, 'invitation', now(), now() + interval '1 day')`,
    [createHash('sha256').update(token).digest(), clientId],
  );
  const start = Date.now();
  const arrived = (count: number) =>
    expect.poll(() => receiver.received.length, { interval: 10 }).toBe(count);
  expect(
    (await post('/password/reset', { token, password: 'three brass hinges and a gate' })).statusCode,
  ).toBe(204);
  await arrived(1);
  const headers = await server.signInAs(clientId);
  const documents = matters[0]?.documentIds ?? [];
  for (const [index, id] of documents.entries()) {
    expect((await post(`/documents/${id}/read`, {}, headers)).statusCode).toBe(200);
    await arrived(index + 2);
  }
  // The servers also poll every five seconds: four successive events would then take at least fifteen seconds.
  expect(Date.now() - start).toBeLessThan(12_000 * measureSlowness());
  expect(receiver.rejected).toEqual([]);
  expect(receiver.received.map(({ content: { type, data } }) => ({ type, data }))).toEqual([
    { type: 'client.activated', data: { client: 'C-1042', link: 'https://clients.example.com/login' } },
    ...documents.map((id, index) => ({
      type: 'document.read',
      data: {
        case: reference,
        matter: 'M-1',
        client: 'C-1042',
        document: `D-${index + 1}`,
        link: `https://clients.example.com/documents/${id}`,
      },
    })),
  ]);
});
