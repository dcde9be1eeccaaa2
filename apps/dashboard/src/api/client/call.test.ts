import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { caseSearchFixture, clientFixture, historyEntryFixture } from '../../../fixtures/entities.ts';
import { ApiError } from './api-error.ts';
import { type CallOptions, createCall } from './call.ts';

type Fetch = typeof globalThis.fetch;

function calling(answer: () => Response | Promise<Response>, options: Partial<CallOptions> = {}) {
  const fetch = vi.fn<Fetch>(async () => answer());
  const onUnauthenticated = vi.fn();
  const call = createCall({
    baseUrl: '/api',
    authorization: () => 'Bearer secret',
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

describe('an answer', () => {
  test('is unwrapped to its data', async () => {
    const { call } = calling(() => json({ data: clientFixture() }));
    expect((await call('GET /client', {})).first_name).toBe('Amelia');
  });

  test('with a meta field is given whole', async () => {
    const body = { data: [historyEntryFixture()], meta: { total: 500, next_cursor: null } };
    const { call } = calling(() => json(body));
    expect(await call('GET /case-history', { query: { limit: 1 } })).toEqual(body);
  });

  test('without a body is nothing, where nothing is promised', async () => {
    const { call } = calling(() => new Response(null, { status: 204 }));
    expect(await call('POST /logout', {})).toBeUndefined();
  });

  test.each([
    ['HTML', '<!doctype html><h1>Welcome to the café</h1>'],
    ['truncated JSON', '{"data":[{"id":'],
    ['nothing', ''],
    ['no data', '{"message":"fine"}'],
    ['null', 'null'],
    ['data of another shape', '{"data":{"id":"amelia"}}'],
    ['a meta field where none belongs', JSON.stringify({ data: clientFixture(), meta: null })],
    [
      'a day that does not exist',
      JSON.stringify({ data: [caseSearchFixture({ expected_on: '2026-02-31' })] }),
    ],
  ])('that is %s is a local failure with status 503', async (_, text) => {
    const { call } = calling(() => new Response(text));
    const error = await failure(call('GET /client', {}));
    expect(error).toMatchObject({ status: 503, code: 'unreadable' });
    expect(error.message).toMatch(/could not read/);
  });
});

describe('a request', () => {
  test('carries token type and token, and asks for JSON', async () => {
    const { call, sent } = calling(() => json({ data: clientFixture() }));
    await call('GET /client', {});
    expect(sent()).toMatchObject({
      url: '/api/client',
      method: 'GET',
      headers: { Authorization: 'Bearer secret', Accept: 'application/json' },
    });
    expect(sent().headers).not.toHaveProperty('Content-Type');
    expect(sent().headers).not.toHaveProperty('X-Activity');
  });

  test('protocol 43: names the connection of the channel while there is one, and none else', async () => {
    const connected = calling(() => json({ data: clientFixture() }), { socketId: () => '12.34' });
    await connected.call('GET /client', {});
    expect(connected.sent().headers).toMatchObject({ 'X-Socket-Id': '12.34' });
    const away = calling(() => json({ data: clientFixture() }), { socketId: () => null });
    await away.call('GET /client', {});
    expect(away.sent().headers).not.toHaveProperty('X-Socket-Id');
  });

  test('fills in its parameters so that they stay one part of the path', async () => {
    const { call, sent } = calling(() => json({ data: caseSearchFixture() }));
    await call('GET /case-searches/{id}', { params: { id: '../a b/ü?x#y' } });
    expect(sent().url).toBe('/api/case-searches/..%2Fa%20b%2F%C3%BC%3Fx%23y');
  });

  test('sends a body as JSON, with its key', async () => {
    const { call, sent } = calling(() => json({}, { status: 500 }));
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

  test('works for a payment without a body', async () => {
    const { call, sent } = calling(() => json({}, { status: 500 }));
    await failure(call('POST /case-searches/{id}/payments', { params: { id: 'x' } }));
    expect(sent().body).toBeUndefined();
    expect(sent().headers).not.toHaveProperty('Content-Type');
  });

  test('made by the page itself says so, unless the client did something since', async () => {
    let acted = false;
    const { call, fetch } = calling(() => json({ data: clientFixture() }), { consumeActivity: () => acted });
    await call('GET /client', { background: true });
    acted = true;
    await call('GET /client', { background: true });
    const headers = fetch.mock.calls.map(([, init]) => init?.headers as Record<string, string>);
    expect(headers.map((sent) => sent['X-Activity'])).toEqual(['background', undefined]);
  });

  test('goes to another origin where the API is there', async () => {
    const { call, sent } = calling(() => json({ data: clientFixture() }), {
      baseUrl: 'https://client-api.example',
    });
    await call('GET /client', {});
    expect(sent().url).toBe('https://client-api.example/client');
  });
});

describe('a refusal', () => {
  test('comes with its status, code, words, field errors and waiting time', async () => {
    const body = { message: 'Slow down', code: 'too_many_requests', errors: { email: ['is required'] } };
    const { call } = calling(() => json(body, { status: 429, headers: { 'Retry-After': '42' } }));
    expect(await failure(call('GET /client', {}))).toMatchObject({
      status: 429,
      code: 'too_many_requests',
      message: 'Slow down',
      errors: { email: ['is required'] },
      retryAfter: 42,
    });
  });

  test('with errors of another shape has none', async () => {
    const { call } = calling(() =>
      json({ message: 'No', code: 'invalid_input', errors: ['x'] }, { status: 422 }),
    );
    expect((await failure(call('GET /client', {}))).errors).toEqual({});
  });

  test('that is not from our server is a local failure', async () => {
    const { call } = calling(() => new Response('<h1>Bad gateway</h1>', { status: 502 }));
    expect(await failure(call('GET /client', {}))).toMatchObject({ status: 503, code: 'unreadable' });
  });

  test('of the token is told with the token that it is about', async () => {
    const { call, onUnauthenticated } = calling(() =>
      json({ message: 'Ended', code: 'unauthenticated' }, { status: 401 }),
    );
    await failure(call('GET /client', {}));
    expect(onUnauthenticated).toHaveBeenCalledExactlyOnceWith('Bearer secret');
  });

  test('of the token without words of ours counts as well', async () => {
    const { call, onUnauthenticated } = calling(() => new Response('', { status: 401 }));
    expect(await failure(call('GET /client', {}))).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(onUnauthenticated).toHaveBeenCalledTimes(1);
  });

  test('of wrong credentials says nothing about the token', async () => {
    const refusal = { message: 'These credentials do not match our records.', code: 'invalid_credentials' };
    const { call, onUnauthenticated } = calling(() => json(refusal, { status: 401 }));
    const error = await failure(call('POST /login', { body: { email: 'a', password: 'b' } }));
    expect(error.message).toBe('These credentials do not match our records.');
    expect(onUnauthenticated).not.toHaveBeenCalled();
  });
});

describe('a call that does not get through', () => {
  test('says that we cannot be reached', async () => {
    const { call } = calling(() => Promise.reject(new TypeError('Failed to fetch')));
    expect(await failure(call('GET /client', {}))).toMatchObject({ status: 503, code: 'unreachable' });
  });

  test('says that the browser is offline when it is', async () => {
    const { call } = calling(() => Promise.reject(new TypeError('Failed to fetch')), {
      isOnline: () => false,
    });
    expect(await failure(call('GET /client', {}))).toMatchObject({ status: 503, code: 'offline' });
  });

  test('that breaks off in the middle of the answer is unreachable too', async () => {
    const broken = new ReadableStream({
      start: (controller) => controller.error(new TypeError('network error')),
    });
    const { call } = calling(() => new Response(broken));
    expect(await failure(call('GET /client', {}))).toMatchObject({ code: 'unreachable' });
  });
});

describe('a call that takes too long', () => {
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

  test('ends after its time', async () => {
    const { call } = calling(() => json({}), { fetch: never });
    const failed = failure(call('GET /client', { timeout: 5_000 }));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await failed).toMatchObject({ status: 503, code: 'timed_out' });
  });

  test('ends when its caller gives up, with the caller’s own reason', async () => {
    const { call } = calling(() => json({}), { fetch: never });
    const controller = new AbortController();
    const given = call('GET /client', { signal: controller.signal });
    controller.abort('left the page');
    await expect(given).rejects.toBe('left the page');
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('a call goes by whatever `fetch` has become: who reports errors listens there', async () => {
  const call = createCall({
    baseUrl: '/api',
    authorization: () => null,
    onUnauthenticated: () => {},
    isOnline: () => true,
  });
  const later = vi.fn<Fetch>(async () => json({ data: clientFixture() }));
  vi.stubGlobal('fetch', later);
  await call('GET /client', {});
  vi.unstubAllGlobals();
  expect(later).toHaveBeenCalledOnce();
});
