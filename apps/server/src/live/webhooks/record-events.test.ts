import { randomBytes, randomUUID } from 'node:crypto';
import { webhookEventTypes } from '@keyturn/contract/staff';
import { buildCase, buildPayment, withTestDatabase } from '@keyturn/testkit';
import { sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { webhookEvents } from '../../schema/tables/webhook-tables.ts';
import { deleteOldWebhookEvents, oldEventsHandler } from './delete-old-events-job.ts';
import { createEndpoint, disableEndpoint, rotateSecret } from './endpoints.ts';

const testDatabase = withTestDatabase();
const actor = { kind: 'command_line', id: null, name: 'rhian' } as const;
const clock = () => new Date();
const dependencies = () => ({ database: testDatabase.database, clock });
const rules = { allowsPrivate: true, allowsHttp: true };

const rows = async (text: string, values: unknown[] = []) =>
  (await testDatabase.pool.query(text, values)).rows;

let endpointId: string;
/** A case with a matter, a search, a document and a client, and their references. */
let built: Awaited<ReturnType<typeof buildCase>>;
let documentId: string;
let references: { case: string; matter: string; client: string; search: string; document: string };
beforeAll(async () => {
  const url = 'http://127.0.0.1/';
  const endpoint = { url, description: 'Case management', eventTypes: webhookEventTypes, actor };
  ({ id: endpointId } = await createEndpoint({ ...dependencies(), rules }, endpoint));
});
beforeEach(async () => {
  built = await buildCase(testDatabase.database, {
    matters: [{ searches: [{}], documents: [{ signing: 'simple' }] }],
  });
  documentId = built.matters[0]?.documentIds[0] ?? '';
  [references] = (await rows(
    `select c.reference as case, m.reference as matter, client.reference as client, s.reference as search,
       d.reference as document
     from conveyancing_cases c join matters m on m.case_id = c.id join case_searches s on s.matter_id = m.id
     join documents d on d.matter_id = m.id, clients client where c.id = $1 and client.id = $2`,
    [built.id, built.clientId],
  )) as [typeof references];
  await rows('delete from webhook_events');
});

const recorded = () => rows('select type, ordering_key, data, path from webhook_events order by position');
const payFor = (search: boolean) =>
  buildPayment(testDatabase.database, {
    caseId: built.id,
    clientId: built.clientId,
    status: 'succeeded',
    ...(search ? { caseSearchId: built.caseSearchId, matterId: built.matterId } : {}),
  });

async function insertRefund(paymentId: string, status: string): Promise<string> {
  const [{ id }] = await rows(
    `insert into refunds (id, payment_id, provider_refund_id, amount, status, last_cause, created_at, updated_at)
     values (gen_random_uuid(), $1, 're_1', 100, $2, 'test', now(), now()) returning id`,
    [paymentId, status],
  );
  return id;
}
/** @param outcome null while the dispute is open */
async function insertDispute(paymentId: string, outcome: string | null): Promise<string> {
  const [{ id }] = await rows(
    `insert into disputes (id, payment_id, provider, provider_dispute_id, is_inquiry, status, outcome, closed_at, reason,
       amount, opened_at, observed_at)
     select new_id, $1, 'sandbox', new_id::text, false, case when $2::text is null then 'needs_response' else 'closed' end,
       $2, case when $2 is not null then now() end, 'fraudulent', 100, '2026-11-20T09:00:00Z', now()
     from gen_random_uuid() as new_id returning id`,
    [paymentId, outcome],
  );
  return id;
}

describe('a webhook event', () => {
  test('a webhook event is recorded when a payment succeeds, with references and no amount or name', async () => {
    const { id, paidAt } = await payFor(true);
    const { document: _document, ...about } = references;
    expect(await recorded()).toEqual([
      {
        type: 'payment.succeeded',
        ordering_key: built.id,
        data: { ...about, payment: id },
        path: '/payments',
      },
    ]);
    expect(await rows('select occurred_at from webhook_events')).toEqual([{ occurred_at: paidAt }]);
    expect(await rows('select endpoint_id, state from webhook_deliveries')).toEqual([
      { endpoint_id: endpointId, state: 'pending' },
    ]);
  });

  test('a webhook event names the client who confirmed the payment, not the joint client who started it', async () => {
    const joint = await buildCase(testDatabase.database, { clients: [{}, { reference: 'C-confirmed' }] });
    const [caseId, clientId] = [joint.id, joint.clientId];
    const confirmedBy = joint.clientIds[1] as string;
    const payment = { caseId, clientId, confirmedBy, status: 'succeeded' } as const;
    const { id } = await buildPayment(testDatabase.database, payment);
    expect(await recorded()).toMatchObject([{ data: { client: 'C-confirmed' } }]);
    await insertRefund(id, 'succeeded');
    await insertDispute(id, 'lost');
    expect(await rows('select distinct client_id from client_changes where payment_id = $1', [id])).toEqual([
      { client_id: confirmedBy },
    ]);
  });

  test('a webhook event is recorded when the provider has made a refund, and when the refund fails later', async () => {
    const { id } = await payFor(false);
    await rows('delete from webhook_events');
    const refund = await insertRefund(id, 'pending');
    expect(await recorded()).toEqual([]);
    await rows("update refunds set status = 'succeeded' where id = $1", [refund]);
    await rows("update refunds set status = 'failed', failed_at = now() where id = $1", [refund]);
    const about = {
      ordering_key: built.id,
      data: { case: references.case, client: references.client, payment: id },
      path: '/payments',
    };
    expect(await recorded()).toEqual([
      { type: 'payment.refunded', ...about },
      { type: 'payment.refund_failed', ...about },
    ]);
  });

  test.each([
    ['open', null, []],
    ['closed', 'lost', ['payment.dispute_closed']],
  ])('a webhook event is recorded when a dispute is first found %s', async (_title, outcome, others) => {
    const { id } = await payFor(false);
    await rows('delete from webhook_events');
    const dispute = await insertDispute(id, outcome);
    expect(await recorded()).toMatchObject([{ type: 'payment.disputed', data: { payment: id } }]);
    expect(await rows('select occurred_at from webhook_events')).toEqual([
      { occurred_at: new Date('2026-11-20T09:00:00Z') },
    ]);
    expect(
      await rows('select type from client_changes where subject_id = $1 order by id', [dispute]),
    ).toEqual(['payment.disputed', ...others].map((type) => ({ type })));
  });

  test('a webhook event is recorded when a client signs a document, and when a client first reads it', async () => {
    await rows(
      `insert into document_signatures (id, document_id, position, client_id, name, method, consent, signed_at, address, sha256, mac)
       values ($1, $2, 1, $3, 'Rowan Ashdown', 'typed', 'I agree', now(), '203.0.113.7', $4, $5)`,
      [randomUUID(), documentId, built.clientId, 'a'.repeat(64), randomBytes(32)],
    );
    for (let time = 0; time < 2; time += 1)
      await rows(
        'insert into document_reads (document_id, client_id) values ($1, $2) on conflict do nothing',
        [documentId, built.clientId],
      );
    const { search: _search, ...about } = references;
    const path = `/documents/${documentId}`;
    expect(await recorded()).toEqual([
      { type: 'document.signed', ordering_key: built.id, data: about, path },
      { type: 'document.read', ordering_key: built.id, data: about, path },
    ]);
  });

  test('the webhook event of a task that a client completed names its case, matter and search', async () => {
    const task = randomUUID();
    await rows(
      `insert into tasks (id, case_id, matter_id, reference, kind, title, explanation, status, case_search_id, position)
       values ($1::uuid, $2, $3, $1::uuid::text, 'pay_search', 'Pay', '', 'done', $4, 0)`,
      [task, built.id, built.matterId, built.caseSearchId],
    );
    for (const _time of ['once', 'twice'])
      await rows('select record_task_completion(tasks) from tasks where id = $1', [task]);
    const { client: _client, document: _document, ...about } = references;
    expect(await recorded()).toEqual([
      { type: 'task.completed', ordering_key: built.id, data: { ...about, task }, path: '/' },
    ]);
  });

  test('the webhook event of a client who was activated again after a reset is recorded once', async () => {
    for (const _time of ['first', 'second'])
      await rows('select record_client_activation($1, now())', [built.clientId]);
    expect(await recorded()).toEqual([
      {
        type: 'client.activated',
        ordering_key: built.clientId,
        data: { client: references.client },
        path: '/login',
      },
    ]);
  });

  test('a webhook event is stored only if the transaction of its fact commits', async () => {
    await expect(
      testDatabase.database.transaction(async (transaction) => {
        await transaction.execute(sql`select record_client_activation(${built.clientId}, now())`);
        expect((await transaction.select().from(webhookEvents)).length).toBe(1);
        throw new Error('killed');
      }),
    ).rejects.toThrow('killed');
    expect(await recorded()).toEqual([]);
  });

  test('a webhook event has the same id when its fact is recorded again in a restored database', async () => {
    const { id } = await payFor(false);
    const idOf = async () => (await rows('select id from webhook_events'))[0].id;
    const before = await idOf();
    await rows('delete from webhook_events');
    await rows("select record_webhook_event('payment.succeeded', $1, now(), $2, '{}', '/payments')", [
      id,
      built.id,
    ]);
    expect(await idOf()).toBe(before);
  });

  test('a webhook event is not stored while no endpoint is subscribed to its type', async () => {
    const url = 'http://127.0.0.1/';
    const { id } = await createEndpoint(
      { ...dependencies(), rules },
      { url, description: 'Reads', eventTypes: ['document.read'], actor },
    );
    const read = async () => {
      await rows('insert into document_reads (document_id, client_id) values ($1, $2)', [
        documentId,
        built.clientId,
      ]);
      return rows('select endpoint_id from webhook_deliveries order by endpoint_id');
    };
    await payFor(false);
    expect(await rows('select endpoint_id from webhook_deliveries')).toEqual([{ endpoint_id: endpointId }]);
    await rows('delete from webhook_events');
    expect(await read()).toEqual([endpointId, id].sort().map((endpoint_id) => ({ endpoint_id })));
    await disableEndpoint(dependencies(), { id, actor });
  });
});

describe('deletion of old webhook events', () => {
  const record = (count: number) =>
    rows(
      `select record_webhook_event('payment.succeeded', gen_random_uuid()::text, now(), $1, '{}', '/payments')
       from generate_series(1, $2::int)`,
      [built.id, count],
    );
  const finish = (state: string, condition: string) =>
    rows(
      `update webhook_deliveries set state = '${state}', finished_at = now()
       where event_id in (select id from webhook_events where ${condition})`,
    );
  const later = (days: number) => new Date(Date.now() + days * 24 * 3_600_000);
  const left = async () => (await rows('select count(*)::int as events from webhook_events'))[0].events;

  test('deletes webhook events older than 30 days with their deliveries, except events that are being retried', async () => {
    await record(3);
    await finish('dead', 'position = (select min(position) from webhook_events)');
    await finish('delivered', 'position = (select max(position) from webhook_events)');
    expect(await deleteOldWebhookEvents(testDatabase.database, later(29))).toBe(0);
    expect(await deleteOldWebhookEvents(testDatabase.database, later(31))).toBe(2);
    expect(await rows('select state from webhook_deliveries')).toEqual([{ state: 'pending' }]);
  });

  test('deletes waiting webhook events of an endpoint that was disabled for 30 days', async () => {
    const { id } = await createEndpoint(
      { ...dependencies(), rules },
      { url: 'http://127.0.0.1/', description: 'Disabled', eventTypes: ['document.read'], actor },
    );
    await rows(
      "select record_webhook_event('document.read', gen_random_uuid()::text, now(), $1, '{}', '/')",
      [built.id],
    );
    await disableEndpoint(dependencies(), { id, actor });
    await rows(
      "update webhook_deliveries set state = 'delivered', finished_at = now() where endpoint_id = $1",
      [endpointId],
    );
    expect(await deleteOldWebhookEvents(testDatabase.database, later(31))).toBe(1);
  });

  test('deletes secrets of endpoints whose overlap has ended', async () => {
    await rotateSecret(dependencies(), { id: endpointId, overlap: 3_600_000, actor });
    const deleteAt = async (time: Date) => {
      await oldEventsHandler({ ...dependencies(), clock: () => time }).work([]);
      const query =
        'select expires_at is null as is_current from webhook_secrets where endpoint_id = $1 order by created_at';
      return (await rows(query, [endpointId])).map((secret) => secret.is_current);
    };
    expect(await deleteAt(new Date())).toEqual([false, true]);
    expect(await deleteAt(later(1))).toEqual([true]);
  });

  test('keeps the newest webhook events above the maximum number', async () => {
    await record(10);
    await finish('delivered', 'true');
    await deleteOldWebhookEvents(testDatabase.database, clock(), { maxEvents: 4 });
    expect(await left()).toBe(4);
  });
});
