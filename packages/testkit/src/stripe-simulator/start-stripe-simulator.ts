import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createTestClock, type TestClock } from '../test-clock.ts';
import { answerCall, UnknownRequest } from './answer-call.ts';
import {
  assertError,
  assertEvent,
  DescriptionMismatch,
  describedVersion,
} from './description/assert-described.ts';
import { type Answer, createIdempotencyStore } from './idempotency-store.ts';
import { findRoute } from './routes.ts';
import type { SentHeaders } from './rules/stripe-rule.ts';
import { checkHeaders, refusal } from './rules/stripe-rules.ts';
import { type AccountOptions, createStripeAccount, type StripeAccount } from './stripe-account.ts';
import { StripeApiError } from './stripe-api-error.ts';

/** A fault in one call. */
export type StripeFault =
  /** No fault, to reach a fault in a later call. */
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
  | 503
  /** The refusal of a rule, by its id. */
  | { rule: string };

export interface StripeSimulator extends StripeAccount {
  /** Such as `http://127.0.0.1:40123`. */
  url: string;
  clock: TestClock;
  /** Adds another account, with its own keys. */
  addAccount(options?: AccountOptions): StripeAccount;
  /** The faults of the next calls that match `faultyCalls`, one for each. */
  faults: StripeFault[];
  /**
   * The calls that consume faults, by method and path such as `POST /v1/payment_intents`; all by default. A server’s
   * background checks call Stripe at any time, so a test that needs a certain call to fail names that call here.
   */
  faultyCalls: RegExp;
  /** Milliseconds before each call takes effect; 0 by default. */
  latency: number;
  /** The calls so far, such as `POST /v1/payment_intents`. */
  calls: { request: string; headers: IncomingMessage['headers']; body: string }[];
  /** The rules that requests broke, by their ids, in the order of the refusals. */
  refusals: string[];
  /** The differences between requests, answers and events and Stripe's description of its API. */
  differences: string[];
  /** @throws Error if anything differed from Stripe's description */
  stop(): Promise<void>;
}

/**
 * Starts an HTTP server that behaves like the part of Stripe that the product uses. The simulator itself is one account in
 * test mode, which accepts every test key that no other account has. The test controls its clock.
 */
export async function startStripeSimulator(clock: TestClock = createTestClock()): Promise<StripeSimulator> {
  const differences: string[] = [];
  const refusals: string[] = [];
  const noted = { differences, refusals };
  const accounts: StripeAccount[] = [];
  const addAccount = (options: AccountOptions) => {
    const onEvent: AccountOptions['onEvent'] = (event) =>
      noteDifferences(differences, () => assertEvent(event));
    const account = createStripeAccount(clock, { onEvent, ...options });
    accounts.push(account);
    return account;
  };
  const ownAccount = addAccount({ webhookSecret: 'whsec_simulated' });
  const once = createIdempotencyStore(clock);
  const faults: StripeFault[] = [];
  const calls: StripeSimulator['calls'] = [];

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readBody(request);
    const { method = '', url = '' } = request;
    const what = `${method} ${url.split('?')[0]}`;
    const isFromBrowser = keyOf(request).startsWith('pk_');
    if (!isFromBrowser) calls.push({ request: what, headers: request.headers, body });
    const version = request.headers['stripe-version'];
    if (version !== undefined && version !== describedVersion) {
      differences.push(`the request ${what}: version ${version}, expected ${describedVersion}`);
    }
    const fault = !isFromBrowser && simulator.faultyCalls.test(what) ? faults.shift() : undefined;
    if (typeof fault === 'number') return send(response, withoutEffect[fault]);
    if (fault === 'silent before') return;
    if (fault === 'broken before') return void request.socket.destroy();
    const key = request.headers['idempotency-key'];
    const answered = await orError(noted, async () => {
      if (typeof fault === 'object') throw refusal(fault.rule);
      const account = accountOf(accounts, { call: what, ...sentHeaders(request) });
      return once(typeof key === 'string' ? `${account.id} ${key}` : undefined, `${what} ${body}`, () =>
        orError(noted, async () => {
          if (simulator.latency > 0) await pause(simulator.latency);
          if (fault === 'stored 500 before') return failed;
          const done = succeeded(
            noteDifferences(differences, () =>
              answerCall(account, { method, url, body, key: keyOf(request) }),
            ),
          );
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
    ...ownAccount,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clock,
    addAccount: (options = {}) => addAccount(options),
    faults,
    faultyCalls: /^/,
    latency: 0,
    calls,
    refusals,
    differences,
    stop: async () => {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      if (differences.length > 0) {
        throw new Error(`Stripe would not do this:\n${[...new Set(differences)].join('\n')}`);
      }
    },
  };
  return simulator;
}

/**
 * Finds the account with a key. The simulator's own account accepts any other test key, except keys that were rolled.
 * @throws StripeApiError for a request whose key or headers break a rule
 */
function accountOf(accounts: readonly StripeAccount[], sent: Omit<SentHeaders, 'isKnownKey'>): StripeAccount {
  const owner = accounts.find(({ secretKeys }) => secretKeys.has(sent.key));
  const account = owner ?? (/^(sk|rk|pk)_test_(?![0-9a-f]{24}$)/.test(sent.key) ? accounts[0] : undefined);
  const call = findRoute(...splitCall(sent.call))?.route.name ?? sent.call;
  checkHeaders({ ...sent, call, isKnownKey: account !== undefined });
  return account as StripeAccount;
}

const splitCall = (call: string) => call.split(' ') as [string, string];

function sentHeaders(request: IncomingMessage): Omit<SentHeaders, 'call' | 'isKnownKey'> {
  const text = (name: string) => {
    const value = request.headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  return { key: keyOf(request), version: text('stripe-version'), idempotencyKey: text('idempotency-key') };
}

const keyOf = ({ headers: { authorization = '' } }: IncomingMessage) => authorization.replace(/^Bearer /, '');

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

async function orError<Kind extends Answer>(
  { differences, refusals }: { differences: string[]; refusals: string[] },
  work: () => Promise<Kind>,
): Promise<Kind | Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StripeApiError) {
      if (error.rule !== null) refusals.push(error.rule);
      return noteDifferences(differences, () => errorAnswer(error.status, error.body.error));
    }
    if (error instanceof DescriptionMismatch) {
      return { status: 500, body: JSON.stringify({ error: { type: 'api_error', message: error.message } }) };
    }
    throw error;
  }
}

/** Runs a step of a call, and records differences from Stripe's description for the end of the test. */
function noteDifferences<Result>(differences: string[], step: () => Result): Result {
  try {
    return step();
  } catch (error) {
    if (error instanceof DescriptionMismatch || error instanceof UnknownRequest) {
      differences.push(...error.differences);
    }
    throw error;
  }
}

const withoutEffect: Record<429 | 409 | 503, Answer> = {
  429: errorAnswer(429, {
    type: 'invalid_request_error',
    code: 'rate_limit',
    message: 'Request rate limit exceeded.',
  }),
  409: errorAnswer(409, {
    type: 'idempotency_error',
    code: 'idempotency_key_in_use',
    message: 'Another request with this key is under way',
  }),
  503: errorAnswer(503, { type: 'api_error', message: 'Stripe is temporarily unavailable' }),
};

const failed = errorAnswer(500, { type: 'api_error', message: 'An unknown error occurred' });

function errorAnswer(status: number, error: Record<string, unknown>): Answer {
  assertError(error);
  return { status, body: JSON.stringify({ error }) };
}

const succeeded = (object: unknown): Answer => ({ status: 200, body: JSON.stringify(object) });

function send(response: ServerResponse, { status, body, ...more }: Answer & { replayed?: boolean }): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'request-id': 'req_simulated',
    ...(more.replayed ? { 'idempotent-replayed': 'true' } : {}),
    // Stripe sends this header because a retry would get the stored response.
    ...(status === 500 ? { 'stripe-should-retry': 'false' } : {}),
  });
  response.end(body);
}
