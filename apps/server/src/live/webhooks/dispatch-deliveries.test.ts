import { randomUUID } from 'node:crypto';
import { webhookEventTypes } from '@keyturn/contract/staff';
import { createTestClock, runLength, startWebhookReceiver, withTestDatabase } from '@keyturn/testkit';
import { afterEach, describe, expect, test } from 'vitest';
import { createMessageSender } from '../../adapters/webhooks/create-message-sender.ts';
import { claimDeliveries, recordAttempt } from './deliveries-store.ts';
import { resendEvents } from './delivery-log.ts';
import { createDispatcher, type DispatchDependencies } from './dispatch-deliveries.ts';
import { createEndpoint, disableEndpoint, enableEndpoint, rotateSecret } from './endpoints.ts';
import { formatSecret } from './sign-message.ts';

const testDatabase = withTestDatabase();
const actor = { kind: 'command_line', id: null, name: 'rhian' } as const;
const systemClock = () => new Date();
const rules = { allowsPrivate: true, allowsHttp: true };
const sender = createMessageSender({ resolve: async () => ['127.0.0.1'], ...rules });

let closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  // Dispatchers stop before their receivers close.
  for (const close of closing.reverse()) await close();
  closing = [];
});

const rows = async (text: string, values: unknown[] = []) =>
  (await testDatabase.pool.query(text, values)).rows;

/** Creates an endpoint with a receiver. */
async function openEndpoint(answer?: Parameters<typeof startWebhookReceiver>[0]['answer']) {
  const endpoint = { id: '', secret: '' };
  const receiver = await startWebhookReceiver({
    secret: () => endpoint.secret,
    ...(answer ? { answer } : {}),
  });
  Object.assign(
    endpoint,
    await createEndpoint(
      { database: testDatabase.database, clock: systemClock, rules },
      { url: receiver.url, description: 'Case management', eventTypes: webhookEventTypes, actor },
    ),
  );
  closing.push(async () => {
    await disableEndpoint(
      { database: testDatabase.database, clock: systemClock },
      { id: endpoint.id, actor },
    );
    await receiver.close();
  });
  return { endpoint, receiver };
}

const alerts: string[] = [];
/** Starts the dispatcher of a server, with short intervals. */
function startDispatcher(options: Partial<DispatchDependencies> = {}) {
  const dispatcher = createDispatcher({
    database: testDatabase.database,
    clock: systemClock,
    send: sender,
    dashboardUrl: () => 'https://clients.example.com',
    alertOperator: (message) => alerts.push(message),
    onError: (error) => {
      throw error;
    },
    interval: 20,
    ...options,
  });
  closing.push(dispatcher.stop);
  dispatcher.start();
  return dispatcher;
}

/** Records events with numbers from 1, in turn for each of several cases. */
async function recordEvents(count: number, cases: readonly string[]) {
  await rows(
    `select record_webhook_event('payment.succeeded', gen_random_uuid()::text, now(), ($2::uuid[])[1 + n % $3],
       jsonb_build_object('case', ($2::uuid[])[1 + n % $3], 'number', n::text), '/payments')
     from generate_series(1, $1::int) n order by n`,
    [count, cases, cases.length],
  );
  // PostgreSQL's autovacuum does this after many changes.
  await rows('analyze webhook_deliveries');
}

const newCases = (count: number) => Array.from({ length: count }, () => randomUUID());
const deliveriesTo = (endpointId: string) =>
  rows(
    `select data ->> 'number' as number, state, attempts, failures, leased_until is not null as leased
     from webhook_deliveries join webhook_events on id = event_id where endpoint_id = $1 order by webhook_events.position`,
    [endpointId],
  );

describe('delivery of webhook events', () => {
  test('two servers deliver every event to a receiver that fails half of the time, in order for each case', async () => {
    const count = runLength({ short: 100, long: 10_000 });
    let requests = 0;
    const { receiver } = await openEndpoint(() => {
      requests += 1;
      return requests % 2 === 0 ? 204 : 500;
    });
    const cases = newCases(30);
    await recordEvents(count, cases);
    const sent = [0, 0];
    for (const server of [0, 1]) {
      const send: typeof sender = (message, signal) => {
        sent[server] = (sent[server] ?? 0) + 1;
        return sender(message, signal);
      };
      startDispatcher({ send, delays: [1, 3, 9] });
    }
    const accepted = () => receiver.received.filter(({ status }) => status === 204);
    await expect
      .poll(() => accepted().length, {
        timeout: runLength({ short: 60_000, long: 1_200_000 }),
        interval: 100,
      })
      .toBe(count);
    expect(receiver.rejected).toEqual([]);
    expect(sent.map((number) => number > 0)).toEqual([true, true]);
    for (const id of cases) {
      const numbers = accepted().flatMap(({ content: { data } }) =>
        data.case === id ? Number(data.number) : [],
      );
      expect(numbers).toEqual(numbers.toSorted((left, right) => left - right));
    }
    expect(new Set(accepted().map(({ id }) => id)).size).toBe(count);
    // Each attempt at an event has the same id.
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(count);
    expect(receiver.concurrency().max).toBeLessThanOrEqual(8);
  });

  test('a slow endpoint has at most eight concurrent attempts, and does not delay another endpoint', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = await openEndpoint(async () => {
      await released;
      return 204;
    });
    const fast = await openEndpoint();
    await recordEvents(12, newCases(12));
    startDispatcher();
    await expect.poll(() => fast.receiver.received.length).toBe(12);
    expect(slow.receiver.concurrency()).toEqual({ now: 8, max: 8 });
    release();
    await expect.poll(() => slow.receiver.received.length).toBe(12);
    expect(slow.receiver.concurrency().max).toBe(8);
  });

  test('an event is a dead letter after three days; the later one of its case follows, and it can be sent again', async () => {
    let answersFirst = 500;
    const { endpoint, receiver } = await openEndpoint(({ content }) =>
      content.data.number === '1' ? answersFirst : 204,
    );
    const [only] = newCases(1) as [string];
    await recordEvents(2, [only]);
    alerts.length = 0;
    startDispatcher();
    const stateOfFirst = async () => (await deliveriesTo(endpoint.id))[0];
    for (let attempts = 1; attempts <= 20; attempts += 1) {
      await expect.poll(stateOfFirst).toMatchObject({ attempts, leased: false });
      if ((await stateOfFirst()).state !== 'pending') break;
      expect(receiver.received.map(({ content }) => content.data.number)).not.toContain('2');
      // Eight hours pass: more than any interval between attempts.
      await rows(
        "update webhook_deliveries set due_at = '-infinity', retry_until = retry_until - interval '8 hours' where endpoint_id = $1",
        [endpoint.id],
      );
    }
    await expect
      .poll(() => deliveriesTo(endpoint.id))
      .toMatchObject([{ state: 'dead' }, { state: 'delivered' }]);
    expect(alerts).toEqual([
      'a webhook endpoint keeps failing',
      'events could not be delivered to a webhook endpoint: send them again',
    ]);
    answersFirst = 204;
    const resent = { endpointId: endpoint.id, eventId: null, actor };
    expect(await resendEvents({ database: testDatabase.database, clock: systemClock }, resent)).toBe(1);
    await expect.poll(() => deliveriesTo(endpoint.id)).toMatchObject([{ state: 'delivered' }, {}]);
    expect(receiver.received.at(-1)).toMatchObject({ id: receiver.received[0]?.id, status: 204 });
  });

  test('events are delivered in the order of their facts; concurrent facts are delivered in any order', async () => {
    let answersLate = 500;
    const { receiver } = await openEndpoint(({ content }) =>
      content.data.number === 'late' ? answersLate : 204,
    );
    const [only] = newCases(1) as [string];
    const record = `select record_webhook_event('payment.succeeded', gen_random_uuid()::text, now(), $1,
      jsonb_build_object('number', $2::text), '/payments')`;
    const accepted = () =>
      receiver.received.flatMap(({ status, content }) => (status === 204 ? content.data.number : []));
    const late = await testDatabase.pool.connect();
    await late.query('begin');
    await late.query(record, [only, 'late']);
    await rows(record, [only, 'meanwhile']);
    startDispatcher({ delays: [1] });
    await expect.poll(accepted).toEqual(['meanwhile']);
    await late.query('commit');
    late.release();
    await rows(record, [only, 'after']);
    await expect.poll(() => receiver.received.length).toBeGreaterThan(2);
    expect(accepted()).toEqual(['meanwhile']);
    answersLate = 204;
    await expect.poll(accepted).toEqual(['meanwhile', 'late', 'after']);
  });

  test('a response of 410 disables the endpoint with an alert; waiting events are sent when it is enabled again', async () => {
    let status = 410;
    const { endpoint, receiver } = await openEndpoint(() => status);
    alerts.length = 0;
    const [only] = newCases(1) as [string];
    await recordEvents(2, [only]);
    startDispatcher();
    await expect.poll(() => alerts).toEqual(['a webhook endpoint answered 410 Gone and was disabled']);
    expect(await rows('select state, is_gone from webhook_endpoints where id = $1', [endpoint.id])).toEqual([
      { state: 'disabled', is_gone: true },
    ]);
    expect(
      await rows('select actor_kind, action, after from audit_entries where subject_id = $1', [endpoint.id]),
    ).toContainEqual({
      actor_kind: 'system',
      action: 'webhook_endpoint.disabled',
      after: { answered: 410 },
    });
    // This event is not recorded for the disabled endpoint.
    await recordEvents(1, [only]);
    expect(await deliveriesTo(endpoint.id)).toMatchObject([{ state: 'dead' }, { state: 'pending' }]);
    status = 204;
    await enableEndpoint({ database: testDatabase.database, clock: systemClock }, { id: endpoint.id, actor });
    await expect
      .poll(() => deliveriesTo(endpoint.id))
      .toMatchObject([{ state: 'dead' }, { state: 'delivered' }]);
    expect(receiver.received.map(({ content }) => content.data.number)).toEqual(['1', '2']);
  });

  test('messages are signed with the previous secret too until the overlap of a rotation ends', async () => {
    const { endpoint, receiver } = await openEndpoint();
    const clock = createTestClock();
    const dependencies = { database: testDatabase.database, clock };
    const former = endpoint.secret;
    await recordEvents(1, newCases(1));
    const dispatcher = startDispatcher({ clock });
    await expect.poll(() => receiver.received.length).toBe(1);
    const next = await rotateSecret(dependencies, { id: endpoint.id, overlap: 3_600_000, actor });
    const eventId = receiver.received[0]?.id ?? '';
    const sendAgain = async (secret: string) => {
      endpoint.secret = secret;
      await resendEvents(dependencies, { endpointId: endpoint.id, eventId, actor });
      const before = receiver.received.length + receiver.rejected.length;
      dispatcher.wake();
      await expect.poll(() => receiver.received.length + receiver.rejected.length).toBeGreaterThan(before);
      await expect.poll(() => deliveriesTo(endpoint.id)).toMatchObject([{ leased: false }]);
    };
    await sendAgain(former);
    await sendAgain(next);
    expect(receiver.received).toHaveLength(3);
    expect(
      receiver.received.map(({ headers }) => String(headers['webhook-signature']).split(' ').length),
    ).toEqual([1, 2, 2]);
    expect(receiver.rejected).toEqual([]);
    await dispatcher.stop();
    clock.advance(3_600_000);
    await resendEvents(dependencies, { endpointId: endpoint.id, eventId, actor });
    const claimed = await claimDeliveries(testDatabase.database, {
      now: clock(),
      lease: 1,
      maxConcurrent: 8,
    });
    const [own] = claimed.filter(({ endpointId }) => endpointId === endpoint.id);
    expect(own?.secrets.map(formatSecret)).toEqual([next]);
  });

  test('fault 47: an attempt of a server that was killed is repeated by another once the database’s clock ends its claim, and the later result counts', async () => {
    const { endpoint } = await openEndpoint();
    const [only] = newCases(1) as [string];
    await recordEvents(2, [only]);
    const start = Date.now();
    // The clock of the next server is a minute ahead.
    const claimAfter = async (seconds: number, now = new Date(start + 60_000)) => {
      await rows("update webhook_deliveries set leased_until = leased_until - $1 * interval '1 second'", [
        seconds,
      ]);
      const claimed = await claimDeliveries(testDatabase.database, { now, lease: 30_000, maxConcurrent: 8 });
      return claimed.filter(({ endpointId }) => endpointId === endpoint.id);
    };
    const [killed] = await claimAfter(0, new Date());
    expect(killed).toMatchObject({ attempt: 1, event: { data: { number: '1' } } });
    expect(await claimAfter(15)).toEqual([]);
    const [second, ...others] = await claimAfter(15);
    expect(others).toEqual([]);
    expect(second).toMatchObject({ attempt: 2, event: { id: killed?.event.id } });
    const attempted = (attempt: number) => ({
      endpointId: endpoint.id,
      eventId: killed?.event.id ?? '',
      attempt,
      startedAt: new Date(start),
      finishedAt: new Date(start + 5),
      answer: { status: 204, error: null },
      result: { state: 'delivered' as const },
    });
    expect(await recordAttempt(testDatabase.database, attempted(1))).toBe(false);
    expect(await claimAfter(0)).toEqual([]);
    expect(await recordAttempt(testDatabase.database, attempted(2))).toBe(true);
    expect(await claimAfter(0)).toMatchObject([{ attempt: 1, event: { data: { number: '2' } } }]);
  });

  test('a stopping server immediately leaves an unfinished attempt to the next server', async () => {
    let status = new Promise<number>(() => {});
    const { endpoint, receiver } = await openEndpoint(() => status);
    await recordEvents(1, newCases(1));
    const dispatcher = startDispatcher({ stopTimeout: 20 });
    await expect.poll(() => receiver.concurrency().now).toBe(1);
    await dispatcher.stop();
    expect(await deliveriesTo(endpoint.id)).toMatchObject([{ state: 'pending', failures: 0, leased: false }]);
    status = Promise.resolve(204);
    startDispatcher();
    await expect.poll(() => deliveriesTo(endpoint.id)).toMatchObject([{ state: 'delivered' }]);
  });
});
