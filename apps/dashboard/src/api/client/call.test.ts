import { ApiError } from '@keyturn/browser/calls/api-error.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { caseSearchFixture, clientFixture, historyEntryFixture } from '../../../fixtures/entities.ts';
import type { Credential } from '../session/credential.ts';
import { type Call, type CallOptions, createCall } from './call.ts';

type Fetch = typeof globalThis.fetch;

const bearer: Credential = { header: 'Authorization', value: 'Bearer secret' };

function createTestCall(answer: () => Response | Promise<Response>, options: Partial<CallOptions> = {}) {
  const fetch = vi.fn<Fetch>(async () => answer());
  const onUnauthenticated = vi.fn();
  const call = createCall({
    baseUrl: '/api',
    credential: () => bearer,
    onUnauthenticated,
    isOnline: () => true,
    fetch,
    ...options,
  });
  const sent = () => {
    const [url, init] = fetch.mock.calls[0] ?? [];
    return { url, method: init?.method, body: init?.body, headers: init?.headers as Record<string, string> };
  };
  return { call, fetch, sent, onUnauthenticated };
}

const json = (body: unknown, init: ResponseInit = {}) => new Response(JSON.stringify(body), init);

const failure = (promise: Promise<unknown>): Promise<ApiError> =>
  promise.then(
    () => expect.fail('the call should have failed'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(ApiError);
      return error as ApiError;
    },
  );

describe('reading an answer', () => {
  test('an API call returns the data of the answer', async () => {
    const { call } = createTestCall(() => json({ data: clientFixture() }));
    expect((await call('GET /client', {})).first_name).toBe('Amelia');
  });

  test('fault 57: an API call returns the whole answer if it has a meta field', async () => {
    const body = { data: [historyEntryFixture()], meta: { total: 500, next_cursor: null } };
    const { call } = createTestCall(() => json(body));
    expect(await call('GET /case-history', { query: { limit: 1 } })).toEqual(body);
  });

  test.each([{}, { token_type: '' }, { token_type: null }, { token_type: 'bearer' }])(
    'accepts a sign-in that answers with the token type %j',
    async (type) => {
      const { call } = createTestCall(() => json({ data: { access_token: 'a', expires_in: 5, ...type } }));
      const body = { email: 'a', password: 'b' };
      expect(await call('POST /login', { body })).toEqual({ access_token: 'a', expires_in: 5, ...type });
    },
  );

  test('an API call that answers 204 returns undefined', async () => {
    const { call } = createTestCall(() => new Response(null, { status: 204 }));
    expect(await call('POST /logout', {})).toBeUndefined();
  });

  test.each([
    ['HTML', '<!doctype html><h1>Welcome to the café</h1>'],
    ['truncated JSON', '{"data":[{"id":'],
    ['an empty body', ''],
    ['no data', '{"message":"fine"}'],
    ['null', 'null'],
    ['data of another shape', '{"data":{"id":"amelia"}}'],
    ['an unexpected meta field', JSON.stringify({ data: clientFixture(), meta: null })],
    [
      'a day that does not exist',
      JSON.stringify({ data: [caseSearchFixture({ expected_on: '2026-02-31' })] }),
    ],
  ])(
    'fault 57: an API call fails with `unreadable` and status 503 for an answer with %s',
    async (_, text) => {
      const { call } = createTestCall(() => new Response(text));
      const error = await failure(call('GET /client', {}));
      expect(error).toMatchObject({ status: 503, code: 'unreadable' });
      expect(error.message).toMatch(/could not read/);
    },
  );
});

describe('sending a request', () => {
  test('an API call sends the token with its type and accepts JSON', async () => {
    const { call, sent } = createTestCall(() => json({ data: clientFixture() }));
    await call('GET /client', {});
    expect(sent()).toMatchObject({
      url: '/api/client',
      method: 'GET',
      headers: { Authorization: 'Bearer secret', Accept: 'application/json' },
    });
    expect(sent().headers).not.toHaveProperty('Content-Type');
    expect(sent().headers).not.toHaveProperty('X-Activity');
  });

  test('protocol 43: sends the socket id only while the real-time channel is connected', async () => {
    const connected = createTestCall(() => json({ data: clientFixture() }), { socketId: () => '12.34' });
    await connected.call('GET /client', {});
    expect(connected.sent().headers).toMatchObject({ 'X-Socket-Id': '12.34' });
    const away = createTestCall(() => json({ data: clientFixture() }), { socketId: () => null });
    await away.call('GET /client', {});
    expect(away.sent().headers).not.toHaveProperty('X-Socket-Id');
  });

  test('fault 61: an API call escapes path parameters so that each stays one segment', async () => {
    const { call, sent } = createTestCall(() => json({ data: caseSearchFixture() }));
    await call('GET /case-searches/{id}', { params: { id: '../a b/ü?x#y' } });
    expect(sent().url).toBe('/api/case-searches/..%2Fa%20b%2F%C3%BC%3Fx%23y');
  });

  test('an API call sends its body as JSON, with the idempotency key', async () => {
    const { call, sent } = createTestCall(() => json({}, { status: 500 }));
    await failure(
      call('POST /case-searches/{id}/payments', {
        params: { id: 'x' },
        body: { order_now: true },
        idempotencyKey: 'k',
      }),
    );
    expect(sent()).toMatchObject({
      method: 'POST',
      body: '{"order_now":true}',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'k' },
    });
  });

  test('sends no body and no content type for a payment without a body', async () => {
    const { call, sent } = createTestCall(() => json({}, { status: 500 }));
    await failure(call('POST /case-searches/{id}/payments', { params: { id: 'x' } }));
    expect(sent().body).toBeUndefined();
    expect(sent().headers).not.toHaveProperty('Content-Type');
  });

  test('an API call is marked as background unless the client has been active', async () => {
    let isActive = false;
    const { call, fetch } = createTestCall(() => json({ data: clientFixture() }), {
      consumeActivity: () => isActive,
    });
    await call('GET /client', { background: true });
    isActive = true;
    await call('GET /client', { background: true });
    const headers = fetch.mock.calls.map(([, init]) => init?.headers as Record<string, string>);
    expect(headers.map((sent) => sent['X-Activity'])).toEqual(['background', undefined]);
  });

  test('sends requests to an API on another origin', async () => {
    const { call, sent } = createTestCall(() => json({ data: clientFixture() }), {
      baseUrl: 'https://client-api.example',
    });
    await call('GET /client', {});
    expect(sent().url).toBe('https://client-api.example/client');
  });
});

describe('reading an error response', () => {
  test('an API error has the status, code, message, field errors and Retry-After of the response', async () => {
    const body = { message: 'Slow down', code: 'too_many_requests', errors: { email: ['is required'] } };
    const { call } = createTestCall(() => json(body, { status: 429, headers: { 'Retry-After': '42' } }));
    expect(await failure(call('GET /client', {}))).toMatchObject({
      status: 429,
      code: 'too_many_requests',
      message: 'Slow down',
      errors: { email: ['is required'] },
      retryAfter: 42,
    });
  });

  test('an API error ignores field errors of an unexpected shape', async () => {
    const { call } = createTestCall(() =>
      json({ message: 'No', code: 'invalid_input', errors: ['x'] }, { status: 422 }),
    );
    expect((await failure(call('GET /client', {}))).errors).toEqual({});
  });

  test('fault 57: an API call fails with `unreadable` for an error page of a proxy', async () => {
    const { call } = createTestCall(() => new Response('<h1>Bad gateway</h1>', { status: 502 }));
    expect(await failure(call('GET /client', {}))).toMatchObject({ status: 503, code: 'unreadable' });
  });

  test('an API call reports a rejected token together with the token', async () => {
    const { call, onUnauthenticated } = createTestCall(() =>
      json({ message: 'Ended', code: 'unauthenticated' }, { status: 401 }),
    );
    await failure(call('GET /client', {}));
    expect(onUnauthenticated).toHaveBeenCalledExactlyOnceWith(bearer);
  });

  test('treats a 401 without Keyturn’s error body as a rejected token', async () => {
    const { call, onUnauthenticated } = createTestCall(() => new Response('', { status: 401 }));
    expect(await failure(call('GET /client', {}))).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(onUnauthenticated).toHaveBeenCalledTimes(1);
  });

  test('sends cookies only with the calls that recognise the device or clear the cache', async () => {
    const credentialsOf = async (make: (call: Call) => Promise<unknown>) => {
      const { call, fetch } = createTestCall(() => new Response(null, { status: 204 }));
      await make(call).catch(() => {});
      return fetch.mock.calls[0]?.[1]?.credentials;
    };
    const body = { email: 'amelia@example.test', password: 'turn-the-key-2026' };
    expect(await credentialsOf((call) => call('POST /login', { body }))).toBe('include');
    expect(await credentialsOf((call) => call('POST /logout', {}))).toBe('include');
    expect(
      await credentialsOf((call) => call('POST /password/reset', { body: { token: 't', password: 'p' } })),
    ).toBe('include');
    expect(await credentialsOf((call) => call('GET /client', {}))).toBe('omit');
  });

  test('an API call sends the CSRF token and cookies for a sign-in whose token is in a cookie', async () => {
    const { call, fetch, sent } = createTestCall(() => json({ data: clientFixture() }), {
      credential: () => ({ header: 'X-CSRF-TOKEN', value: 'for-one-sign-in' }),
      signsInWithCookie: true,
    });
    await call('GET /client', {});
    expect(sent().headers).toMatchObject({ 'X-CSRF-TOKEN': 'for-one-sign-in' });
    expect(sent().headers).not.toHaveProperty('Authorization');
    expect(sent().headers).not.toHaveProperty('X-Session');
    expect(fetch.mock.calls[0]?.[1]?.credentials).toBe('include');
  });

  test.each([
    [true, 'cookie'],
    [false, undefined],
  ])('a sign-in asks for a cookie: %s', async (signsInWithCookie, header) => {
    const { call, sent } = createTestCall(() => json({ data: { csrf_token: 'a', expires_in: 5 } }), {
      credential: () => null,
      signsInWithCookie,
    });
    const answer = await call('POST /login', { body: { email: 'a', password: 'b' } });
    expect(answer).toEqual({ csrf_token: 'a', expires_in: 5 });
    expect(sent().headers['X-Session']).toBe(header);
  });

  test('an API call with wrong credentials does not report the token as rejected', async () => {
    const body = { message: 'These credentials do not match our records.', code: 'invalid_credentials' };
    const { call, onUnauthenticated } = createTestCall(() => json(body, { status: 401 }));
    const error = await failure(call('POST /login', { body: { email: 'a', password: 'b' } }));
    expect(error.message).toBe('These credentials do not match our records.');
    expect(onUnauthenticated).not.toHaveBeenCalled();
  });
});

describe('a call that cannot reach the server', () => {
  test('an API call fails with `unreachable` if the request fails', async () => {
    const { call } = createTestCall(() => Promise.reject(new TypeError('Failed to fetch')));
    expect(await failure(call('GET /client', {}))).toMatchObject({ status: 503, code: 'unreachable' });
  });

  test('an API call fails with `offline` if the browser is offline', async () => {
    const { call } = createTestCall(() => Promise.reject(new TypeError('Failed to fetch')), {
      isOnline: () => false,
    });
    expect(await failure(call('GET /client', {}))).toMatchObject({ status: 503, code: 'offline' });
  });

  test('fault 57: an API call fails with `unreachable` if the connection breaks during the answer', async () => {
    const broken = new ReadableStream({
      start: (controller) => controller.error(new TypeError('network error')),
    });
    const { call } = createTestCall(() => new Response(broken));
    expect(await failure(call('GET /client', {}))).toMatchObject({ code: 'unreachable' });
  });
});

describe('aborting a call', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const never: Fetch = (_, init) =>
    new Promise((_resolve, reject) =>
      init?.signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError'))),
    );

  test('an API call fails with `timed_out` after the timeout', async () => {
    const { call } = createTestCall(() => json({}), { fetch: never });
    const failed = failure(call('GET /client', { timeout: 5_000 }));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await failed).toMatchObject({ status: 503, code: 'timed_out' });
  });

  test('an aborted API call rejects with the caller’s reason', async () => {
    const { call } = createTestCall(() => json({}), { fetch: never });
    const controller = new AbortController();
    const promise = call('GET /client', { signal: controller.signal });
    controller.abort('left the page');
    await expect(promise).rejects.toBe('left the page');
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('an API call uses the current global `fetch`, so that error reporting can wrap it', async () => {
  const call = createCall({
    baseUrl: '/api',
    credential: () => null,
    onUnauthenticated: () => {},
    isOnline: () => true,
  });
  const later = vi.fn<Fetch>(async () => json({ data: clientFixture() }));
  vi.stubGlobal('fetch', later);
  await call('GET /client', {});
  vi.unstubAllGlobals();
  expect(later).toHaveBeenCalledOnce();
});
