import { ApiError } from '@keyturn/browser/calls/api-error.ts';
import { describe, expect, test, vi } from 'vitest';
import { clientFixture } from '../../../fixtures/entities.ts';
import { type Call, type CallOptions, createCall } from './call.ts';

type Fetch = typeof globalThis.fetch;

const bearer = 'Bearer secret';

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
    expect((await call('GET /client')).first_name).toBe('Amelia');
  });

  test('an API call rejects an answer that does not match the contract', async () => {
    const { call } = createTestCall(() => json({ data: { ...clientFixture(), first_name: null } }));
    expect(await failure(call('GET /client'))).toMatchObject({ code: 'unreadable' });
  });

  test.each([{}, { token_type: '' }, { token_type: null }, { token_type: 'bearer' }])(
    'accepts a sign-in that answers with the token type %j',
    async (type) => {
      const { call } = createTestCall(() => json({ data: { access_token: 'a', expires_in: 5, ...type } }));
      const body = { email: 'a', password: 'b' };
      expect(await call('POST /login', { body })).toEqual({ access_token: 'a', expires_in: 5, ...type });
    },
  );
});

describe('sending a request', () => {
  test('an API call sends the token with its type and accepts JSON', async () => {
    const { call, sent } = createTestCall(() => json({ data: clientFixture() }));
    await call('GET /client');
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
    await connected.call('GET /client');
    expect(connected.sent().headers).toMatchObject({ 'X-Socket-Id': '12.34' });
    const away = createTestCall(() => json({ data: clientFixture() }), { socketId: () => null });
    await away.call('GET /client');
    expect(away.sent().headers).not.toHaveProperty('X-Socket-Id');
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
});

describe('reading an error response', () => {
  test('an API call reports a rejected token together with the token', async () => {
    const { call, onUnauthenticated } = createTestCall(() =>
      json({ message: 'Ended', code: 'unauthenticated' }, { status: 401 }),
    );
    await failure(call('GET /client'));
    expect(onUnauthenticated).toHaveBeenCalledExactlyOnceWith(bearer);
  });

  test('treats a 401 without Keyturn’s error body as a rejected token', async () => {
    const { call, onUnauthenticated } = createTestCall(() => new Response('', { status: 401 }));
    expect(await failure(call('GET /client'))).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(onUnauthenticated).toHaveBeenCalledTimes(1);
  });

  test('sends cookies to another origin only with the calls that recognise the device or clear the cache', async () => {
    const credentialsOf = async (make: (call: Call) => Promise<unknown>) => {
      const { call, fetch } = createTestCall(() => new Response(null, { status: 204 }));
      await make(call).catch(() => {});
      return fetch.mock.calls[0]?.[1]?.credentials;
    };
    const body = { email: 'amelia@example.test', password: 'turn-the-key-2026' };
    expect(await credentialsOf((call) => call('POST /login', { body }))).toBe('include');
    expect(await credentialsOf((call) => call('POST /logout'))).toBe('include');
    expect(
      await credentialsOf((call) => call('POST /password/reset', { body: { token: 't', password: 'p' } })),
    ).toBe('include');
    expect(await credentialsOf((call) => call('GET /client'))).toBe('same-origin');
  });

  test.each([
    [true, 'blocked'],
    [false, undefined],
  ])('a sign-in says whether the browser blocks cookies: %s', async (blocksCookies, header) => {
    const token = { access_token: 'a', token_type: 'Bearer', expires_in: 5 };
    const { call, sent } = createTestCall(() => json({ data: token }), {
      credential: () => null,
      blocksCookies,
    });
    expect(await call('POST /login', { body: { email: 'a', password: 'b' } })).toEqual(token);
    expect(sent().headers['X-Cookies']).toBe(header);
  });

  test('an API call with wrong credentials does not report the token as rejected', async () => {
    const body = { message: 'These credentials do not match our records.', code: 'invalid_credentials' };
    const { call, onUnauthenticated } = createTestCall(() => json(body, { status: 401 }));
    const error = await failure(call('POST /login', { body: { email: 'a', password: 'b' } }));
    expect(error.message).toBe('These credentials do not match our records.');
    expect(onUnauthenticated).not.toHaveBeenCalled();
  });
});
