import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isArrayOf, isInteger, isObjectOf, isString } from '../checks/check.ts';
import { ApiError } from './api-error.ts';
import { createRequest, type RequestOptions } from './create-request.ts';

type Fetch = typeof globalThis.fetch;

const isPage = isObjectOf({ data: isArrayOf(isString), meta: isObjectOf({ total: isInteger }) });

/** The calls of a made-up API. */
const loadAnswers = async () => ({
  answerChecks: {
    'GET /names/{id}': isString,
    'GET /names': isPage,
    'POST /names': isString,
    'POST /files': isString,
    'DELETE /names': null,
    'GET /list': null,
  },
  answerFiles: { 'GET /list': ['text/csv'] },
});

function createTestRequest(
  answer: () => Response | Promise<Response>,
  options: Partial<RequestOptions> = {},
) {
  const fetch = vi.fn<Fetch>(async () => answer());
  const request = createRequest({ baseUrl: '/api', loadAnswers, isOnline: () => true, fetch, ...options });
  const sent = (index = 0) => {
    const [url, init] = fetch.mock.calls[index] ?? [];
    return { url, ...init, headers: init?.headers as Record<string, string> };
  };
  return { request, fetch, sent };
}

const json = (body: unknown, init: ResponseInit = {}) => new Response(JSON.stringify(body), init);
const named = () => json({ data: 'Amelia' });
const byId = { params: { id: '1' } };

const failure = (promise: Promise<unknown>): Promise<ApiError> =>
  promise.then(
    () => expect.fail('the request should have failed'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(ApiError);
      return error as ApiError;
    },
  );

describe('reading an answer', () => {
  test('a request returns the data of the answer', async () => {
    expect(await createTestRequest(named).request('GET /names/{id}', byId)).toBe('Amelia');
  });

  test('fault 57: a request returns the whole answer if it has a meta field', async () => {
    const body = { data: ['Amelia'], meta: { total: 500 } };
    expect(await createTestRequest(() => json(body)).request('GET /names', {})).toEqual(body);
  });

  test('a request that is answered with 204 returns undefined', async () => {
    const { request } = createTestRequest(() => new Response(null, { status: 204 }));
    expect(await request('DELETE /names', {})).toBeUndefined();
  });

  test('a request for a file returns it, and rejects any other media type', async () => {
    const file = (type: string) => new Response('a,b', { headers: { 'Content-Type': type } });
    const csv = await createTestRequest(() => file('text/csv; charset=utf-8')).request('GET /list', {});
    expect(await (csv as Blob).text()).toBe('a,b');
    const page = failure(createTestRequest(() => file('text/html')).request('GET /list', {}));
    expect(await page).toMatchObject({ code: 'unreadable' });
  });

  test.each([
    ['HTML', '<!doctype html><h1>Welcome to the café</h1>'],
    ['truncated JSON', '{"data":[{"id":'],
    ['an empty body', ''],
    ['no data', '{"message":"fine"}'],
    ['null', 'null'],
    ['data of another shape', '{"data":{"id":"amelia"}}'],
    ['an unexpected meta field', '{"data":"Amelia","meta":null}'],
  ])('fault 57: a request fails with `unreadable` and status 503 for an answer with %s', async (_, text) => {
    const { request } = createTestRequest(() => new Response(text));
    const error = await failure(request('GET /names/{id}', byId));
    expect(error).toMatchObject({ status: 503, code: 'unreadable' });
    expect(error.message).toMatch(/could not read/);
  });
});

describe('sending a request', () => {
  test('fault 61: a request escapes path parameters so that each stays one segment', async () => {
    const { request, sent } = createTestRequest(named, { baseUrl: 'https://client-api.example' });
    await request('GET /names/{id}', { params: { id: '../a b/ü?x#y' } });
    expect(sent().url).toBe('https://client-api.example/names/..%2Fa%20b%2F%C3%BC%3Fx%23y');
  });

  test('a request repeats a parameter with several values, and leaves out those without one', async () => {
    const { request, sent } = createTestRequest(() => json({ data: [], meta: { total: 0 } }));
    await request('GET /names', { query: { state: ['open', 'paid'], limit: 2, cursor: undefined } });
    expect(sent().url).toBe('/api/names?state=open&state=paid&limit=2');
  });

  test('a request sends its body as JSON, and without a body no content type', async () => {
    const { request, sent } = createTestRequest(named);
    await request('POST /names', { body: { name: 'Amelia' }, headers: { 'Idempotency-Key': 'k' } });
    expect(sent()).toMatchObject({ method: 'POST', body: '{"name":"Amelia"}' });
    expect(sent().headers).toEqual({
      Accept: 'application/json',
      'Content-Type': 'application/json',
      'Idempotency-Key': 'k',
    });
    await request('POST /names', {});
    expect(sent(1).body).toBeUndefined();
    expect(sent(1).headers).toEqual({ Accept: 'application/json' });
  });

  test('a request in the background does not extend the session, unless the person has been active', async () => {
    const isActive = [false, true, false];
    const onExtended = vi.fn();
    const consumeActivity = () => isActive.shift() ?? false;
    const { request, sent } = createTestRequest(named, { consumeActivity, onExtended });
    await request('GET /names/{id}', { ...byId, background: true });
    expect(sent().headers['X-Activity']).toBe('background');
    expect(onExtended).not.toHaveBeenCalled();
    await request('GET /names/{id}', { ...byId, background: true });
    await request('GET /names/{id}', byId);
    expect([sent(1), sent(2)].map(({ headers }) => headers['X-Activity'])).toEqual([undefined, undefined]);
    expect(onExtended).toHaveBeenCalledTimes(2);
  });

  test('a request sends a file as its body, without a particular type', async () => {
    const sendFile = vi.fn(async () => named());
    const { request } = createTestRequest(named, { sendFile });
    const file = new Blob(['PDF'], { type: 'application/pdf' });
    expect(await request('POST /files', { file })).toBe('Amelia');
    expect(sendFile).toHaveBeenCalledExactlyOnceWith(
      '/api/files',
      expect.objectContaining({
        method: 'POST',
        body: file,
        headers: { Accept: 'application/json', 'Content-Type': 'application/octet-stream' },
      }),
    );
  });

  test('a request uses the current global `fetch`, so that error reporting can wrap it', async () => {
    const request = createRequest({ baseUrl: '/api', loadAnswers });
    const later = vi.fn<Fetch>(async () => named());
    vi.stubGlobal('fetch', later);
    await request('GET /names/{id}', byId);
    vi.unstubAllGlobals();
    expect(later).toHaveBeenCalledOnce();
  });
});

describe('reading an error response', () => {
  test('an API error has the status, code, message, field errors and Retry-After of the response', async () => {
    const body = { message: 'Slow down', code: 'too_many_requests', errors: { email: ['is required'] } };
    const { request } = createTestRequest(() =>
      json(body, { status: 429, headers: { 'Retry-After': '42' } }),
    );
    expect(await failure(request('GET /names', {}))).toMatchObject({
      status: 429,
      code: 'too_many_requests',
      message: 'Slow down',
      errors: { email: ['is required'] },
      retryAfter: 42,
    });
  });

  test('an API error ignores field errors of an unexpected shape', async () => {
    const body = { message: 'No', code: 'invalid_input', errors: ['x'] };
    const { request } = createTestRequest(() => json(body, { status: 422 }));
    expect((await failure(request('GET /names', {}))).errors).toEqual({});
  });

  test('fault 57: a request fails with `unreadable` for an error page of a proxy', async () => {
    const { request } = createTestRequest(() => new Response('<h1>Bad gateway</h1>', { status: 502 }));
    expect(await failure(request('GET /names', {}))).toMatchObject({ status: 503, code: 'unreadable' });
  });
});

describe('a request that cannot reach the server', () => {
  const unreachable = () => Promise.reject(new TypeError('Failed to fetch'));

  test('a request fails with `unreachable` if it cannot be sent', async () => {
    const { request } = createTestRequest(unreachable);
    expect(await failure(request('GET /names', {}))).toMatchObject({ status: 503, code: 'unreachable' });
  });

  test('a request fails with `offline` if the browser is offline', async () => {
    const { request } = createTestRequest(unreachable, { isOnline: () => false });
    expect(await failure(request('GET /names', {}))).toMatchObject({ status: 503, code: 'offline' });
  });

  test('fault 57: a request fails with `unreachable` if the connection breaks during the answer', async () => {
    const broken = new ReadableStream({
      start: (controller) => controller.error(new TypeError('network error')),
    });
    const { request } = createTestRequest(() => new Response(broken));
    expect(await failure(request('GET /names', {}))).toMatchObject({ code: 'unreachable' });
  });
});

describe('aborting a request', () => {
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

  test('a request fails with `timed_out` after the timeout', async () => {
    const { request } = createTestRequest(named, { fetch: never });
    const failed = failure(request('GET /names', { timeout: 5_000 }));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await failed).toMatchObject({ status: 503, code: 'timed_out' });
  });

  test('an upload that makes no progress fails with `timed_out`', async () => {
    const { request } = createTestRequest(named, {
      sendFile: async (_url, { onStalled }) => {
        onStalled();
        throw new TypeError('aborted');
      },
    });
    expect(await failure(request('POST /files', { file: new Blob() }))).toMatchObject({ code: 'timed_out' });
  });

  test('an aborted request rejects with the caller’s reason, and leaves no timer', async () => {
    const { request } = createTestRequest(named, { fetch: never });
    const controller = new AbortController();
    const promise = request('GET /names', { signal: controller.signal });
    controller.abort('left the page');
    await expect(promise).rejects.toBe('left the page');
    expect(vi.getTimerCount()).toBe(0);
  });
});
