import { buildCase, createTestServer, startWebhookReceiver, type TestServer } from '@keyturn/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEndpoint } from '../live/webhooks/endpoints.ts';
import { type CollectedSpan, type OtlpCollector, startOtlpCollector } from '../testing/otlp-collector.ts';

const password = 'canary-pass-2026-turn';
const client = {
  email: 'canary.okafor@example.test',
  firstName: 'Canary',
  lastName: 'Okafor',
  reference: 'CANARY-7',
  password,
};
const firm = {
  name: 'Alder & Finch',
  sra_number: '6',
  phone: '01632',
  address: [],
  opening_hours: '',
  vat_number: null,
};
const cardNumber = '4242424242424242';
/** Spans are sent every two seconds, and later on a busy machine. */
const patient = { timeout: 60_000 };

let collector: OtlpCollector;
let server: TestServer;
const lines: string[] = [];
beforeAll(async () => {
  collector = await startOtlpCollector();
  server = await createTestServer({
    env: {
      LOG_LEVEL: 'info',
      KEYTURN_TRUSTED_PROXIES: '1',
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.endpoint}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=a%20key',
      OTEL_SERVICE_NAME: 'keyturn-of-firm',
      OTEL_RESOURCE_ATTRIBUTES: 'service.namespace=clients',
    },
    logTo: { write: (line) => lines.push(line) },
  });
});
afterAll(async () => {
  await server.stop();
  await collector.close();
});

const post = (path: string, payload: object, headers: Record<string, string> = {}) =>
  server.app.inject({ method: 'POST', url: `/api${path}`, headers, payload });
const spansNamed = (name: string, traceId?: string) =>
  collector.spans.filter((span) => span.name === name && (traceId ?? span.traceId) === span.traceId);
/** Waits until the collector has received a span. */
async function arrived(name: string, traceId?: string): Promise<CollectedSpan> {
  await expect.poll(() => spansNamed(name, traceId).length, patient).toBeGreaterThan(0);
  return spansNamed(name, traceId)[0] as CollectedSpan;
}
const attributesOf = ({ attributes }: CollectedSpan) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
const newTrace = (last: string) => ({
  id: `0af7651916cd43dd8448eb211c8031${last}`,
  parent: 'b7ad6b7169203331',
});
const traceparent = ({ id, parent }: { id: string; parent: string }) => ({
  traceparent: `00-${id}-${parent}-01`,
});

describe('traces of a server with a collector', () => {
  test('a sign-in and a payment are traced by route, statement, provider call, job and email, without any personal data, token or card number', async () => {
    const built = await buildCase(server.database, { clients: [client], title: 'Canary Row' });
    const { rows } = await server.pool.query(
      'select s.id from case_searches s join matters m on m.id = s.matter_id where m.case_id = $1',
      [built.id],
    );
    const searchId: string = rows[0].id;
    await server.pool.query('update installation set firm = $1', [JSON.stringify(firm)]);
    const trace = newTrace('9c');
    const signedIn = await post(
      '/login?next=canary-query',
      { email: client.email, password },
      { ...traceparent(trace), 'user-agent': 'canary-agent', cookie: 'canary-cookie=1' },
    );
    const token: string = signedIn.json().data.access_token;
    const authorization = `Bearer ${token}`;
    const started = await post(
      `/case-searches/${searchId}/payments`,
      {
        order_now: true,
        order_wording: '2026-12-unknown',
        own_card: true,
        payer_name: 'Canary Okafor',
        receipt_email: client.email,
      },
      { authorization },
    );
    expect(started.statusCode).toBe(200);
    const { client_secret: secret, payment_id: paymentId } = started.json().data;
    const intentId = secret.split('_secret')[0];
    const card = { number: cardNumber, exp_month: 12, exp_year: 2035, cvc: '123' };
    const confirmed = await post(`/sandbox/payment-intents/${intentId}/confirm`, {
      client_secret: secret,
      card,
    });
    expect(confirmed.statusCode).toBe(200);
    const read = () => server.app.inject({ url: `/api/payments/${paymentId}`, headers: { authorization } });
    await expect.poll(async () => (await read()).json().data.status, patient).toBe('succeeded');
    await server.app.inject({
      url: `/api/payments/${client.email}/none?q=canary`,
      headers: { authorization },
    });

    const login = await arrived('POST /api/login', trace.id);
    expect(login).toMatchObject({ kind: 2, parentSpanId: trace.parent });
    expect(attributesOf(login)).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/login',
      'http.response.status_code': 200,
      'keyturn.request_id': signedIn.headers['x-request-id'],
    });
    const webhook = await arrived('POST /api/webhooks/:provider');
    const retrieved = await arrived('payments retrieveIntent', webhook.traceId);
    expect(retrieved.kind).toBe(3);
    expect(await arrived('POST /api/case-searches/:id/payments')).toMatchObject({ kind: 2 });
    expect(await arrived('find_session')).toMatchObject({ kind: 3 });
    const job = await arrived('job send-payment-mail');
    expect(await arrived('mail send', job.traceId)).toMatchObject({ kind: 3 });
    await arrived('GET /api/*');
    expect(spansNamed('GET /healthz')).toEqual([]);

    expect(collector.faults).toEqual([]);
    const exported = collector.bodies.join('\n');
    expect(exported).not.toMatch(/canary|okafor/i);
    for (const secretText of [
      token,
      token.slice(3),
      secret,
      intentId,
      cardNumber,
      '127.0.0.1',
      'example.test',
    ])
      expect(exported).not.toContain(secretText);
    for (const id of [...built.clientIds, built.id, searchId, paymentId]) expect(exported).not.toContain(id);
    expect(exported).not.toMatch(/\bselect\b|\binsert\b/i);
  });

  test('names the service, and sends the headers of the settings', async () => {
    await server.app.inject({ url: '/api/maintenance' });
    await arrived('GET /api/maintenance');
    expect(collector.headers.at(-1)).toMatchObject({ 'x-collector-key': 'a key' });
    expect(collector.resources.at(-1)).toEqual(
      expect.arrayContaining([
        { key: 'service.name', value: { stringValue: 'keyturn-of-firm' } },
        { key: 'service.namespace', value: { stringValue: 'clients' } },
        { key: 'service.version', value: { stringValue: '0.0.0' } },
      ]),
    );
  });

  test('log lines contain the id of their trace', async () => {
    const trace = newTrace('9d');
    const { headers } = await post(
      '/login',
      { email: 'nobody@example.test', password: 'x' },
      traceparent(trace),
    );
    const own = () =>
      lines.map((line) => JSON.parse(line)).filter(({ reqId }) => reqId === headers['x-request-id']);
    await expect.poll(() => own().map(({ event }) => event), patient).toEqual(['request', 'sign-in']);
    expect(own().map((line) => line.trace_id)).toEqual([trace.id, trace.id]);
  });

  test('an invalid traceparent starts a new trace', async () => {
    const id = '0af7651916cd43dd8448eb211c80319e';
    for (const header of [
      'not-a-traceparent',
      `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
      `00-${id}-${'0'.repeat(16)}-01`,
      `ff-${id}-b7ad6b7169203331-01`,
      `00-${id.toUpperCase()}-b7ad6b7169203331-01`,
      `00-${id}-b7ad6b7169203331-01-canary`,
    ]) {
      const answer = await server.app.inject({ url: '/api/config', headers: { traceparent: header } });
      const requestId = answer.headers['x-request-id'];
      const own = () =>
        collector.spans.find((span) => attributesOf(span)['keyturn.request_id'] === requestId);
      await expect.poll(own, patient).toBeDefined();
      expect(own()?.parentSpanId, header).toBeUndefined();
    }
    expect(collector.bodies.join()).not.toContain(id);
  });

  test('an outgoing webhook passes its trace on to the firm’s system', async () => {
    let key = '';
    const receiver = await startWebhookReceiver({ secret: () => key });
    const endpoint = {
      url: receiver.url,
      description: 'Case management',
      eventTypes: ['document.read'] as const,
      actor: { kind: 'command_line', id: null, name: 'rhian' } as const,
    };
    ({ secret: key } = await createEndpoint(
      {
        database: server.database,
        clock: () => new Date(),
        rules: { allowsPrivate: true, allowsHttp: true },
      },
      endpoint,
    ));
    const { clientId, matters } = await buildCase(server.database, { matters: [{ documents: [{}] }] });
    const read = await post(
      `/documents/${matters[0]?.documentIds[0]}/read`,
      {},
      await server.signInAs(clientId),
    );
    expect(read.statusCode).toBe(200);
    await expect.poll(() => receiver.received.length, patient).toBe(1);
    const [, traceId = '', spanId] =
      /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/.exec(String(receiver.received[0]?.headers.traceparent)) ?? [];
    expect(await arrived('webhook send', traceId)).toMatchObject({ spanId });
    await receiver.close();
  });
});

test('spans that are still waiting are sent before a server stops', async () => {
  const last = await startOtlpCollector();
  const stopping = await createTestServer({
    env: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${last.endpoint}/v1/traces` },
  });
  await stopping.app.inject({ url: '/api/maintenance' });
  await stopping.stop();
  expect(last.spans.map(({ name }) => name)).toContain('GET /api/maintenance');
  expect(last.faults).toEqual([]);
  await last.close();
});

test('without a trusted proxy, the traceparent of a client is ignored', async () => {
  const own = await startOtlpCollector();
  const direct = await createTestServer({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: own.endpoint } });
  const trace = newTrace('9f');
  await direct.app.inject({ url: '/api/maintenance', headers: traceparent(trace) });
  await direct.stop();
  expect(own.spans.length).toBeGreaterThan(0);
  expect(own.bodies.join()).not.toContain(trace.id);
  await own.close();
});

test('a collector that cannot be reached delays nothing, and is logged once', async () => {
  const gone = await startOtlpCollector();
  await gone.close();
  const logged: string[] = [];
  const alone = await createTestServer({
    env: { LOG_LEVEL: 'warn', OTEL_EXPORTER_OTLP_ENDPOINT: gone.endpoint },
    logTo: { write: (line) => logged.push(line) },
  });
  const warnings = () =>
    logged.filter((line) =>
      line.includes(`traces cannot be sent to the collector at ${new URL(gone.endpoint).host};`),
    );
  const ask = async () => expect((await alone.app.inject({ url: '/api/maintenance' })).statusCode).toBe(200);
  await ask();
  await expect.poll(() => warnings().length, patient).toBe(1);
  await ask();
  await alone.stop();
  expect(warnings()).toHaveLength(1);
  expect(gone.spans).toEqual([]);
});

test('traces are recorded as the sampler of the settings decides', async () => {
  const own = await startOtlpCollector();
  const quiet = await createTestServer({
    env: {
      KEYTURN_TRUSTED_PROXIES: '1',
      OTEL_EXPORTER_OTLP_ENDPOINT: own.endpoint,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0',
    },
  });
  const trace = newTrace('a0');
  await quiet.app.inject({ url: '/api/maintenance' });
  await quiet.app.inject({ url: '/api/maintenance', headers: traceparent(trace) });
  await quiet.stop();
  expect([...new Set(own.spans.map(({ traceId }) => traceId))]).toEqual([trace.id]);
  await own.close();
});
