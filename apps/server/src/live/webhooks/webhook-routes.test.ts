import { randomUUID } from 'node:crypto';
import { startWebhookReceiver, withTestDatabase } from '@keyturn/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createMessageSender } from '../../adapters/webhooks/create-message-sender.ts';
import { webhookHandlers } from '../../doors/staff/webhook-routes.ts';
import { type StaffBrowser, serveStaff } from '../../testing/serve-staff.ts';

const stored = withTestDatabase();
const rules = { allowsPrivate: true, allowsHttp: true };
const send = createMessageSender({ resolve: async () => ['127.0.0.1'], ...rules });
let desk: Awaited<ReturnType<typeof serveStaff>>;
let admin: StaffBrowser;
let secret = '';
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
beforeAll(async () => {
  const { database } = stored;
  desk = await serveStaff(stored, {
    handlers: (clock) => webhookHandlers({ database, clock, rules, send }),
  });
});
afterAll(() => desk.app.close());
beforeEach(async () => {
  // The receiver rejects old signatures.
  desk.clock.set(new Date().toISOString());
  admin = await desk.signInAs('admin');
  receiver = await startWebhookReceiver({ secret: () => secret });
});
afterEach(() => receiver.close());

const rows = async (sql: string, values: unknown[] = []) => (await stored.pool.query(sql, values)).rows;
async function create(eventTypes: string[] | null = ['document.read']): Promise<string> {
  const endpoint = { url: receiver.url, description: 'Case management', event_types: eventTypes };
  const { data } = await admin.call('POST', '/webhooks', endpoint);
  secret = data.secret;
  return data.id;
}
/** Records events and marks them as dead letters after one attempt. */
async function recordDead(count: number, endpointId: string) {
  for (let index = 0; index < count; index += 1) {
    await rows(
      "select record_webhook_event('document.read', $1, now(), gen_random_uuid(), '{\"case\": \"KT-1\"}', '/')",
      [randomUUID()],
    );
  }
  await rows(
    "update webhook_deliveries set state = 'dead', attempts = 1, failures = 1, finished_at = now() where endpoint_id = $1",
    [endpointId],
  );
  await rows(
    `insert into webhook_attempts (endpoint_id, event_id, attempt, started_at, milliseconds, status)
     select endpoint_id, event_id, 1, now(), 12, 500 from webhook_deliveries where endpoint_id = $1`,
    [endpointId],
  );
}

test('an admin creates an endpoint and sends a signed test message', async () => {
  const id = await create();
  expect((await admin.call('POST', `/webhooks/${id}/test`)).data).toEqual({ status: 204, error: null });
  expect(receiver.received).toMatchObject([{ content: { type: 'webhook.test' } }]);
  const { data } = await admin.call('GET', '/webhooks');
  expect(data.find((endpoint: { id: string }) => endpoint.id === id)).toEqual({
    id,
    url: receiver.url,
    description: 'Case management',
    event_types: ['document.read'],
    state: 'enabled',
    is_gone: false,
    created_at: desk.clock().toISOString(),
    pending: 0,
    retrying: 0,
    dead: 0,
  });
});

test('the delivery log has every attempt, in pages, and dead letters are sent again', async () => {
  const id = await create();
  await recordDead(51, id);
  const { data: first } = await admin.call('GET', `/webhooks/${id}/deliveries?dead=true`);
  expect(first).toHaveLength(50);
  expect(first[0]).toMatchObject({
    type: 'document.read',
    state: 'dead',
    due_at: null,
    data: { case: 'KT-1' },
    attempts: [{ milliseconds: 12, status: 500, error: null }],
  });
  const { data: rest } = await admin.call('GET', `/webhooks/${id}/deliveries?before=${first[49].position}`);
  expect(rest).toHaveLength(1);
  const { data } = await admin.call('POST', `/webhooks/${id}/resend`, { event_id: rest[0].event_id });
  expect(data).toEqual({ resent: 1 });
  expect((await admin.call('POST', `/webhooks/${id}/resend`, {})).data).toEqual({ resent: 50 });
  expect((await admin.call('GET', `/webhooks/${id}/deliveries?dead=true`)).data).toEqual([]);
});

test('the delivery log has an event that was never sent, which is due since it was recorded', async () => {
  const id = await create();
  await rows("select record_webhook_event('document.read', $1, now(), gen_random_uuid(), '{}', '/')", [
    randomUUID(),
  ]);
  const [{ created_at }] = await rows('select created_at from webhook_events order by position desc limit 1');
  const { data } = await admin.call('GET', `/webhooks/${id}/deliveries`);
  expect(data).toMatchObject([{ state: 'pending', attempts: [], due_at: created_at.toISOString() }]);
});

test('an endpoint for all events also receives types of later versions, and an endpoint for some types does not', async () => {
  const [every, some] = [await create(null), await create()];
  await rows("select record_webhook_event('later.added', $1, now(), gen_random_uuid(), '{}', '/')", [
    randomUUID(),
  ]);
  const notified = await rows('select endpoint_id from webhook_deliveries where endpoint_id = any($1)', [
    [every, some],
  ]);
  expect(notified).toEqual([{ endpoint_id: every }]);
  await admin.call('DELETE', `/webhooks/${every}`);
});

test('an admin changes the name and the events of an endpoint, and an unchanged edit is not audited', async () => {
  const id = await create();
  const changed = { description: ' Accounts ', event_types: ['payment.succeeded', 'payment.refunded'] };
  for (let time = 0; time < 2; time += 1)
    expect((await admin.call('PUT', `/webhooks/${id}`, changed)).status).toBe(204);
  const { data } = await admin.call('GET', '/webhooks');
  expect(data.find((endpoint: { id: string }) => endpoint.id === id)).toMatchObject({
    description: 'Accounts',
    event_types: ['payment.succeeded', 'payment.refunded'],
  });
  await admin.call('PUT', `/webhooks/${id}`, { description: 'Accounts', event_types: null });
  const audited = await rows(
    `select before, after from audit_entries join audit_links on entry_id = id
     where subject_id = $1 and action = 'webhook_endpoint.changed' and actor_kind = 'staff' order by position`,
    [id],
  );
  expect(audited).toEqual([
    {
      before: { description: 'Case management', events: 'document.read' },
      after: { description: 'Accounts', events: 'payment.refunded payment.succeeded' },
    },
    {
      before: { description: 'Accounts', events: 'payment.refunded payment.succeeded' },
      after: { description: 'Accounts', events: 'all' },
    },
  ]);
});

test('an endpoint needs at least one event type', async () => {
  const id = await create();
  const refused = await admin.call('PUT', `/webhooks/${id}`, { description: 'x', event_types: [] });
  expect(refused.status).toBe(422);
});

test('disables, enables, rotates and deletes a webhook endpoint, and audits each change with the caller', async () => {
  const id = await create();
  expect((await admin.call('POST', `/webhooks/${id}/disable`)).status).toBe(204);
  expect(await admin.call('POST', `/webhooks/${id}/resend`, {})).toMatchObject({
    code: 'integration_state',
    message: 'The endpoint is disabled. Enable it first.',
  });
  expect((await admin.call('POST', `/webhooks/${id}/enable`)).status).toBe(204);
  const { data } = await admin.call('POST', `/webhooks/${id}/rotate`, { overlap_hours: 0 });
  secret = data.secret;
  await admin.call('POST', `/webhooks/${id}/test`);
  expect(receiver.rejected).toEqual([]);
  expect(receiver.received).toHaveLength(1);
  expect((await admin.call('DELETE', `/webhooks/${id}`)).status).toBe(204);
  expect((await admin.call('POST', `/webhooks/${id}/test`)).code).toBe('not_found');
  const audited = await rows(
    `select action from audit_entries join audit_links on entry_id = id
     where subject_id = $1 and actor_kind = 'staff' and address = '203.0.113.7' order by position`,
    [id],
  );
  expect(audited.map(({ action }) => action.replace('webhook_endpoint.', ''))).toEqual([
    'created',
    'disabled',
    'enabled',
    'secret_rotated',
    'tested',
    'deleted',
  ]);
});

test('creating or changing an endpoint needs a confirmation within the last five minutes', async () => {
  const id = await create();
  desk.clock.advance(5 * 60_000);
  const attempts = [
    admin.call('POST', '/webhooks', { url: receiver.url, description: 'x', event_types: ['document.read'] }),
    admin.call('PUT', `/webhooks/${id}`, { description: 'x', event_types: null }),
    admin.call('POST', `/webhooks/${id}/rotate`, { overlap_hours: 24 }),
    admin.call('POST', `/webhooks/${id}/disable`),
    admin.call('POST', `/webhooks/${id}/enable`),
    admin.call('DELETE', `/webhooks/${id}`),
  ];
  for (const { code } of await Promise.all(attempts)) expect(code).toBe('identity_not_confirmed');
});

test('an endpoint with an address that is not allowed is rejected with the reason', async () => {
  const sent = { url: 'ftp://example.com', description: 'x', event_types: ['document.read'] };
  expect(await admin.call('POST', '/webhooks', sent)).toMatchObject({
    status: 409,
    message: 'The address must be an address such as https://example.com/hook.',
  });
});
