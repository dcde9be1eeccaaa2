import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createTestClock, type TestClock } from '../test-clock.ts';
import { type Answer, createIdempotencyStore } from './idempotency-store.ts';
import { createIntents, type StripeIntents } from './intents.ts';
import { readForm } from './read-form.ts';
import { StripeApiError } from './stripe-api-error.ts';
import { createWebhooks, type StripeWebhooks } from './webhooks.ts';

/** What goes wrong with one call. */
export type StripeFault =
  /** Nothing; for a fault in a later call. */
  | 'none'
  /** The connection breaks before, or after, Stripe executes the request. */
  | 'broken before'
  | 'broken after'
  /** No response, before or after execution: the caller times out. */
  | 'silent before'
  | 'silent after'
  /** Stripe fails during execution, before or after the effect. The idempotency key keeps that response. */
  | 'stored 500 before'
  | 'stored 500 after'
  /** Responses without effect: rate limit, key in use, failure before execution. */
  | 429
  | 409
  | 503;

export interface StripeSimulator {
  /** Such as `http://127.0.0.1:40123`. */
  url: string;
  clock: TestClock;
  webhookSecret: string;
  intents: StripeIntents;
  webhooks: StripeWebhooks;
  /** The faults of the next calls, one for each. */
  faults: StripeFault[];
  /** Milliseconds before each call takes effect; 0 by default. */
  latency: number;
  /** The calls so far, such as `POST /v1/payment_intents`. */
  calls: { request: string; headers: IncomingMessage['headers']; body: string }[];
  stop(): Promise<void>;
}

/**
 * Starts an HTTP server that behaves like the part of Stripe that the product uses: intents, charges, disputes,
 * idempotency keys and events. The test controls its clock.
 */
export async function startStripeSimulator(clock: TestClock = createTestClock()): Promise<StripeSimulator> {
  const webhookSecret = 'whsec_simulated';
  const webhooks = createWebhooks(clock, webhookSecret);
  const intents = createIntents(clock, webhooks.add);
  const once = createIdempotencyStore(clock);
  const faults: StripeFault[] = [];
  const calls: StripeSimulator['calls'] = [];

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const what = `${request.method} ${request.url?.split('?')[0]}`;
    calls.push({ request: what, headers: request.headers, body });
    const fault = faults.shift();
    if (typeof fault === 'number') return send(response, withoutEffect(fault));
    if (fault === 'silent before') return;
    if (fault === 'broken before') return void request.socket.destroy();
    const key = request.headers['idempotency-key'];
    const answered = await orError(async () => {
      if (!/^Bearer (sk|rk)_test_/.test(request.headers.authorization ?? '')) {
        throw new StripeApiError(401, 'api_key_invalid', 'Invalid API Key provided');
      }
      return once(typeof key === 'string' ? key : undefined, `${what} ${body}`, () =>
        orError(async () => {
          if (simulator.latency > 0) await pause(simulator.latency);
          if (fault === 'stored 500 before') return failed;
          const done = answerTo(intents, request, body);
          return fault === 'stored 500 after' ? failed : done;
        }),
      );
    });
    if (fault === 'silent after') return;
    if (fault === 'broken after') return void request.socket.destroy();
    send(response, answered);
  };
  // A caller that dies during its call only breaks its own connection.
  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const simulator: StripeSimulator = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clock,
    webhookSecret,
    intents,
    webhooks,
    faults,
    latency: 0,
    calls,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return simulator;
}

function answerTo(intents: StripeIntents, request: IncomingMessage, body: string): Answer {
  const [, id = '', action] =
    /^\/v1\/payment_intents(?:\/(\w+))?(?:\/(\w+))?$/.exec(request.url?.split('?')[0] ?? '') ?? [];
  const asked = `${request.method} ${action ?? (id ? 'one' : request.url?.split('?')[0])}`;
  const form = readForm(body);
  switch (asked) {
    case 'POST /v1/payment_intents':
      return succeeded(intents.create(body));
    case 'GET one':
      return succeeded(intents.find(id));
    case 'POST confirm':
      return succeeded(intents.confirm(id, form.payment_method ?? ''));
    case 'POST cancel':
      return succeeded(intents.cancel(id));
    case 'GET /v1/payment_intents':
      return succeeded(listOf(intents, new URL(request.url ?? '', 'http://simulator').searchParams));
    case 'GET /v1/disputes': {
      const query = new URL(request.url ?? '', 'http://simulator').searchParams;
      const data = intents.disputesOf(query.get('payment_intent') ?? '');
      return succeeded({ object: 'list', url: '/v1/disputes', has_more: false, data });
    }
    case 'POST /v1/refunds':
      return succeeded(
        intents.refund(form.payment_intent ?? '', form.amount ? Number(form.amount) : undefined),
      );
    default:
      throw new StripeApiError(404, 'url_invalid', `Unrecognized request URL (${asked})`);
  }
}

/** Returns a page of intents, newest first. */
function listOf(intents: StripeIntents, query: URLSearchParams) {
  const since = Number(query.get('created[gte]') ?? 0);
  const found = intents
    .all()
    .filter(({ created }) => created >= since)
    .reverse();
  const after = found.findIndex(({ id }) => id === query.get('starting_after')) + 1;
  const data = found.slice(after, after + Number(query.get('limit') ?? 10));
  return { object: 'list', url: '/v1/payment_intents', has_more: after + data.length < found.length, data };
}

async function orError<Kind extends Answer>(work: () => Promise<Kind>): Promise<Kind | Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StripeApiError) return { status: error.status, body: JSON.stringify(error.body) };
    throw error;
  }
}

const withoutEffect = (status: 429 | 409 | 503): Answer => ({
  status,
  body: JSON.stringify({
    error: { type: status === 429 ? 'rate_limit_error' : 'api_error', message: 'later' },
  }),
});

const failed: Answer = {
  status: 500,
  body: JSON.stringify({ error: { type: 'api_error', message: 'An unknown error occurred' } }),
};

const succeeded = (object: unknown): Answer => ({ status: 200, body: JSON.stringify(object) });

function send(response: ServerResponse, { status, body, ...more }: Answer & { replayed?: boolean }): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'request-id': 'req_simulated',
    ...(more.replayed ? { 'idempotent-replayed': 'true' } : {}),
    // Stripe sends this because a repeat would get the stored response.
    ...(status === 500 ? { 'stripe-should-retry': 'false' } : {}),
  });
  response.end(body);
}
