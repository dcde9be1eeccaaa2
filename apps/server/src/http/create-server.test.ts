import { type AddressInfo, connect } from 'node:net';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import {
  type CallKey,
  calls,
  hiddenCharacterNotAllowed,
  type Maintenance,
  type PaymentProvider,
} from '@keyturn/contract';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';
import { DomainError } from '../platform/domain-error.ts';
import type { CallHandlers } from './call-handlers.ts';
import { createServer, type ServerOptions } from './create-server.ts';
import { redactPath } from './logger-options.ts';

const noMaintenance: Maintenance = { general: null, case_history: null };
let maintenance = noMaintenance;
let app: FastifyInstance | undefined;
afterEach(async () => {
  maintenance = noMaintenance;
  await app?.close();
});

const client = { id: 'c', sessionHash: Buffer.alloc(32) };

/** Creates the real server with the given handlers. All other calls fail. */
async function serve(
  handlers: Partial<CallHandlers>,
  isReady = async () => true,
  paymentProvider: PaymentProvider = 'sandbox',
  otherOptions: Partial<ServerOptions> = {},
) {
  const others = Object.fromEntries(
    (Object.keys(calls) as CallKey[]).map((key) => [
      key,
      async () => {
        throw new Error(`unexpected call of ${key} with a secret in it`);
      },
    ]),
  );
  app = await createServer({
    handlers: { ...(others as unknown as CallHandlers), ...handlers },
    authenticate: async (token) => (token === 'good' ? client : null),
    logLevel: 'silent',
    trustedProxies: 0,
    version: '1.2.3',
    paymentProvider,
    apiPlugins: [],
    isReady,
    readMaintenance: async () => maintenance,
    ...otherOptions,
  });
  return app;
}

/** Sends bytes that no HTTP client would send. @returns the response */
async function sendRaw(server: FastifyInstance, text: string): Promise<string> {
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as AddressInfo;
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (part) => (received += part));
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
  });
}

const json = { 'content-type': 'application/json' };
const bearer = { authorization: 'Bearer good' };
const amountOf = (number: string) => `{"category":"other","amount":${number},"reference":"x"}`;

describe('the HTTP server', () => {
  test('the HTTP server wraps a response in data and removes fields that are not in its schema', async () => {
    const server = await serve({
      'POST /login': async () => ({ access_token: 't', token_type: 'Bearer', expires_in: 5, secret: 'x' }),
    });
    const response = await server.inject({
      method: 'POST',
      url: '/api/login',
      headers: json,
      payload: { email: 'a', password: 'b' },
    });
    expect(response.json()).toEqual({ data: { access_token: 't', token_type: 'Bearer', expires_in: 5 } });
    expect(response.headers['cache-control']).toBe('no-store');
  });

  test('compresses large responses with the best encoding that the browser accepts', async () => {
    const server = await serve({});
    const get = (encodings: string) =>
      server.inject({ url: '/api/openapi.json', headers: { 'accept-encoding': encodings } });
    const plain = await get('identity');
    expect(plain.headers['content-encoding']).toBeUndefined();
    const brotli = await get('gzip, deflate, br, zstd');
    expect(brotli.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(plain.body);
    const gzip = await get('gzip');
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body);
    const small = await server.inject({ url: '/api/maintenance', headers: { 'accept-encoding': 'br' } });
    expect(small.headers['content-encoding']).toBeUndefined();
  });

  test('rejects a missing or invalid token with 401 if the contract requires one', async () => {
    const server = await serve({ 'POST /logout': async () => undefined });
    for (const headers of [
      {},
      { authorization: 'Bearer bad' },
      { authorization: 'good' },
      { authorization: 'Basic good' },
    ]) {
      const response = await server.inject({ method: 'POST', url: '/api/logout', headers });
      expect(response.statusCode).toBe(401);
      expect(response.json().code).toBe('unauthenticated');
    }
    expect((await server.inject({ method: 'POST', url: '/api/logout', headers: bearer })).statusCode).toBe(
      204,
    );
  });

  test('tells authentication whether a request is activity of the client or a background refresh', async () => {
    const touches: boolean[] = [];
    const server = await serve({});
    await server.close();
    app = await createServer({
      handlers: { 'POST /logout': async () => undefined } as unknown as CallHandlers,
      authenticate: async (_token, { touch }) => {
        touches.push(touch);
        return client;
      },
      logLevel: 'silent',
      trustedProxies: 0,
      version: '1',
      apiPlugins: [],
      isReady: async () => true,
      readMaintenance: async () => ({ general: null, case_history: null }),
    });
    await app.inject({ method: 'POST', url: '/api/logout', headers: bearer });
    await app.inject({
      method: 'POST',
      url: '/api/logout',
      headers: { ...bearer, 'x-activity': 'background' },
    });
    // The second check of each change, after its body has arrived, is never activity.
    expect(touches).toEqual([true, false, false, false]);
  });

  test('accepts a call without its optional body, with and without a JSON content type', async () => {
    const bodies: unknown[] = [];
    const server = await serve({
      'POST /case-searches/{id}/payments': async ({ body }) => {
        bodies.push(body);
        throw new DomainError('already_paid');
      },
    });
    const url = '/api/case-searches/x/payments';
    for (const headers of [bearer, { ...bearer, ...json }]) {
      expect((await server.inject({ method: 'POST', url, headers })).statusCode).toBe(409);
    }
    expect(bodies).toEqual([{}, {}]);
  });

  test.each([
    ['text that is not JSON', '{"email":', {}, 400, 'malformed_json'],
    [
      'bytes that are not UTF-8',
      Buffer.from('{"email":"Zo\xeb","password":"b"}', 'latin1'),
      {},
      400,
      'malformed_json',
    ],
    ['no body at all', '', {}, 422, 'invalid_input'],
    ['an unknown key', '{"email":"a","password":"b","admin":true}', {}, 422, 'invalid_input'],
    ['a repeated key', '{"email":"a","email":"b","password":"c"}', {}, 400, 'malformed_json'],
    ['a wrong type', '{"email":1,"password":"b"}', {}, 422, 'invalid_input'],
    ['NUL', '{"email":"a\\u0000","password":"b"}', {}, 422, 'invalid_input'],
    ['NUL outside a string', '{"email":"a"\0,"password":"b"}', {}, 400, 'malformed_json'],
    ['text in another direction', '{"email":"a\\u202eb","password":"b"}', {}, 422, 'invalid_input'],
    ['a lone surrogate', '{"email":"\\ud800","password":"b"}', {}, 422, 'invalid_input'],
    ['__proto__', '{"__proto__":{"email":"a"},"password":"b"}', {}, 400, 'malformed_json'],
    ['deep nesting', `${'['.repeat(5000)}${']'.repeat(5000)}`, {}, 422, 'invalid_input'],
    ['NaN', amountOf('NaN'), bearer, 400, 'malformed_json'],
    ['2^53 + 1', amountOf('9007199254740993'), bearer, 422, 'invalid_input'],
    ['a number that is too large for JSON', amountOf('1e999'), bearer, 422, 'invalid_input'],
    [
      'form data',
      'email=a',
      { 'content-type': 'application/x-www-form-urlencoded' },
      415,
      'unsupported_media_type',
    ],
    ['101 KB', JSON.stringify({ email: 'a'.repeat(101 * 1024) }), {}, 413, 'payload_too_large'],
    [
      'a compressed body',
      gzipSync(JSON.stringify({ email: 'a', password: 'b' })),
      { 'content-encoding': 'gzip' },
      400,
      'malformed_json',
    ],
  ])('fault 58: the HTTP server rejects %s', async (_what, payload, headers, status, code) => {
    const url = 'authorization' in headers ? '/api/other-payments' : '/api/login';
    const sent = { method: 'POST', url, headers: { ...json, ...headers }, payload } as const;
    const response = await (await serve({})).inject(sent);
    expect({ status: response.statusCode, code: response.json().code }).toEqual({ status, code });
  });

  test('fault 58: the answer to a repeated field names the problem with the body', async () => {
    const payload = '{"email":"a","password":"b","\\u0065mail":"c"}';
    const sent = { method: 'POST', url: '/api/login', headers: json, payload } as const;
    expect((await (await serve({})).inject(sent)).json()).toEqual({
      message: 'The request body has the same field twice in one object.',
      code: 'malformed_json',
    });
  });

  test('a validation error names the field with a hidden character, which a password may have', async () => {
    const logins: unknown[] = [];
    const server = await serve({
      'POST /login': async ({ body }) => {
        logins.push(body);
        throw new DomainError('invalid_credentials');
      },
    });
    const login = (payload: object) => server.inject({ method: 'POST', url: '/api/login', payload });
    const refused = await login({ email: 'a\u2066b@example.test', password: 'b' });
    expect(refused.json().errors).toEqual({ email: [hiddenCharacterNotAllowed] });
    const secret = { email: 'a@example.test', password: 'b\u200ec' };
    expect((await login(secret)).statusCode).toBe(401);
    expect(logins).toMatchObject([secret]);
  });

  test('removes invisible characters from a pasted email address and code, but not from a password', async () => {
    const logins: unknown[] = [];
    const server = await serve({
      'POST /login': async ({ body }) => {
        logins.push(body);
        throw new DomainError('invalid_credentials');
      },
    });
    const payload = {
      email: ' a\u200bda@exam\u00adple.test\u2060',
      password: 'b\u200bc',
      code: '\ufeff123 456',
    };
    await server.inject({ method: 'POST', url: '/api/login', payload });
    expect(logins).toMatchObject([{ email: 'ada@example.test', password: 'b\u200bc', code: '123 456' }]);
  });

  test('a validation error cuts the name of an unknown field, and hides a card number in it', async () => {
    const server = await serve({});
    const errorsFor = async (name: string) => {
      const payload = { email: 'a', password: 'b', [name]: 1 };
      return (await server.inject({ method: 'POST', url: '/api/login', payload })).json().errors;
    };
    expect(await errorsFor('a'.repeat(50_000))).toEqual({ ['a'.repeat(60)]: ['is not a known field'] });
    expect(await errorsFor('4539148803436467')).toEqual({ '[card number]': ['is not a known field'] });
  });

  test('a validation error names every invalid field of the request in words', async () => {
    const server = await serve({});
    const payload = { email: '', password: 5, colour: 'red' };
    const response = await server.inject({ method: 'POST', url: '/api/login', payload });
    expect(response.json().errors).toEqual({
      email: ['must not be empty'],
      password: ['must be text'],
      colour: ['is not a known field'],
    });
  });

  test('a validation error names the invalid field', async () => {
    const server = await serve({});
    const response = await server.inject({
      method: 'POST',
      url: '/api/login',
      headers: json,
      payload: { email: 'a' },
    });
    expect(response.json().errors).toEqual({ password: ['is required'] });
  });

  test('answers an unexpected error with 500 and no details', async () => {
    const server = await serve({});
    const response = await server.inject({
      method: 'POST',
      url: '/api/login',
      headers: json,
      payload: { email: 'a', password: 'b' },
    });
    expect(response.statusCode).toBe(500);
    expect(response.json()).toEqual({ message: 'An unexpected error has occurred.', code: 'unexpected' });
  });

  test('fault 32: answers 503 with Retry-After if the database is unavailable', async () => {
    const server = await serve({
      'GET /client': async () => {
        throw new Error('query failed', { cause: Object.assign(new Error('gone'), { code: '57P01' }) });
      },
    });
    const response = await server.inject({ method: 'GET', url: '/api/client', headers: bearer });
    expect(response.statusCode).toBe(503);
    expect(response.headers['retry-after']).toBe('5');
  });

  test.each([
    ['a deadlock', '40P01'],
    ['a serialisation failure', '40001'],
    ['a lock timeout', '55P03'],
    ['a statement timeout', '57014'],
  ])('fault 34: answers 503 with Retry-After after %s that no retry resolved', async (_fault, code) => {
    const server = await serve({
      'GET /client': async () => {
        throw new Error('query failed', { cause: Object.assign(new Error('a statement'), { code }) });
      },
    });
    const response = await server.inject({ method: 'GET', url: '/api/client', headers: bearer });
    expect(response.statusCode).toBe(503);
    expect(response.headers['retry-after']).toBe('5');
    expect(response.body).not.toContain('a statement');
  });

  test('fault 36: answers 500 without details and alerts the operator if a page of the database is damaged', async () => {
    const lines: string[] = [];
    const damage = Object.assign(new Error('invalid page in block 3 of relation base/1/2'), {
      code: 'XX001',
    });
    const handlers = {
      'GET /client': async () => {
        throw new Error('query failed', { cause: damage });
      },
    };
    const server = await serve(handlers, undefined, undefined, {
      logLevel: 'error',
      logTo: { write: (line) => lines.push(line) },
    });
    const response = await server.inject({ method: 'GET', url: '/api/client', headers: bearer });
    expect(response.statusCode).toBe(500);
    expect(response.json()).toEqual({ message: 'An unexpected error has occurred.', code: 'unexpected' });
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      'PostgreSQL cannot use its files: check the disk, and restore a backup if data is damaged',
    ]);
  });

  test('hides card numbers in logged paths, encoded ones too', () => {
    const lines: string[] = [];
    for (const path of [
      '4539148803436467',
      '4539%201488%200343%206467',
      '%34539148803436467',
      '4539-1488-0343-6467',
    ]) {
      lines.push(redactPath(`/api/payments/${path}?card=4539148803436467`));
    }
    expect(lines).toEqual(Array(4).fill('/api/payments/[card number]'));
    const id = '9c1185a5-c5e9-4b0b-8e61-424242424242';
    expect(redactPath(`/api/payments/${id}/receipt?x=1`)).toBe(`/api/payments/${id}/receipt`);
    expect(redactPath('/%zz/4539148803436467')).toBe('/%zz/[card number]');
    expect(redactPath('/%zz/%34539148803436467')).toBe('/%zz/[card number]');
  });

  test('cuts long paths before it logs them, without digits at the end', () => {
    expect(redactPath(`/${'a'.repeat(20_000)}`)).toBe(`/${'a'.repeat(499)}…`);
    expect(redactPath(`/${'a'.repeat(490)}4539148803436467`)).toBe(`/${'a'.repeat(490)}…`);
    expect(redactPath(`/${'a'.repeat(498)}?${'b'.repeat(20_000)}`)).toBe(`/${'a'.repeat(498)}`);
  });

  test('answers an unknown path below /api with 404 in JSON', async () => {
    const response = await (await serve({})).inject({ url: '/api/nothing/%2e%2e/here' });
    expect(response.statusCode).toBe(404);
    expect(response.json()).toEqual({
      message: 'The page you are looking for does not exist.',
      code: 'not_found',
    });
  });

  test.each([
    '/api/%zz',
    '/api/case-searches/%E0%A4%A',
    '/assets/%E0%A4%A',
    '/assets/%c0%ae%c0%ae/secret.txt',
  ])('fault 62: answers %s, which cannot be decoded, with 404', async (url) => {
    const response = await (await serve({})).inject({ url, headers: bearer });
    expect({ status: response.statusCode, body: response.json() }).toEqual({
      status: 404,
      body: { message: 'The page you are looking for does not exist.', code: 'not_found' },
    });
  });

  test('redirects a browser from a path that cannot be decoded to the “not found” page', async () => {
    const response = await (await serve({})).inject({ url: '//%E0%A4%A?x=1' });
    expect(response.statusCode).toBe(302);
    expect(response.headers.location).toBe('/%25E0%25A4%25A?x=1');
  });

  test.each(['/\\host/%', '//host/%', '/\\/host/%', '\\\\host/%', 'http://host/%', 'HTTPS://host/%zz'])(
    'redirects %s to a path of this server, never to another host',
    async (path) => {
      const answer = await sendRaw(
        await serve({}),
        `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      );
      const location = /^location: (.*)$/im.exec(answer)?.[1]?.trim();
      // Node.js rejects a target that does not start with a slash.
      expect(location ?? 'none').toBe(path.startsWith('/') ? '/host/%25' : 'none');
    },
  );

  test.each([
    ['a page’s path that cannot be decoded', '/%zz'],
    ['an API path that cannot be decoded', '/api/%zz'],
    ['a file’s path that cannot be decoded', '/assets/%E0%A4%A'],
    ['an id that is too long', `/api/payments/${'a'.repeat(400)}`],
  ])('sends the security headers with the answer to %s', async (_what, url) => {
    const { headers } = await (await serve({})).inject({ url, headers: bearer });
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'x-request-id': expect.any(String),
    });
  });

  test.each([
    ['invalid HTTP', 'GET / HTTP/1.1\r\nbad header\r\n\r\n', 400],
    ['an unknown method', 'HELLO / HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['headers that are too long', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`, 431],
    ['a second Host header', 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n', 400],
    ['a malformed Host header', 'GET / HTTP/1.1\r\nHost: a:b\r\nConnection: close\r\n\r\n', 400],
    ['an empty Host header', 'GET / HTTP/1.1\r\nHost: \r\nConnection: close\r\n\r\n', 400],
    ['a Host header with a path', 'GET / HTTP/1.1\r\nHost: a/b\r\nConnection: close\r\n\r\n', 400],
    ['no host', 'GET / HTTP/1.0\r\n\r\n', 400],
    ['no version', 'GET /healthz\r\n\r\n', 400],
  ])('rejects %s with the security headers and closes the connection', async (_what, text, status) => {
    const answer = (await sendRaw(await serve({}), text)).toLowerCase();
    expect(answer).toContain(`http/1.1 ${status} `);
    for (const header of [
      "content-security-policy: default-src 'none'",
      'x-content-type-options: nosniff',
      'x-frame-options: deny',
      'referrer-policy: no-referrer',
      'strict-transport-security: max-age=31536000',
    ]) {
      expect(answer).toContain(header);
    }
  });

  test.each([
    ['x-forwarded-host', 'a:b'],
    ['x-forwarded-host', 'a/b'],
    ['x-forwarded-proto', 'javascript'],
  ])('rejects a request for which a trusted proxy sends the %s “%s”', async (name, value) => {
    const behindProxy = await serve({}, undefined, undefined, { trustedProxies: 1 });
    const answer = await behindProxy.inject({ url: '/api/openapi.json', headers: { [name]: value } });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'invalid_input' });
    expect((await behindProxy.inject('/api/openapi.json')).statusCode).toBe(200);
  });

  test('warns once that a proxy forwards requests while none is trusted', async () => {
    const lines: string[] = [];
    const options = { logLevel: 'warn', logTo: { write: (line: string) => void lines.push(line) } };
    const server = await serve({}, undefined, undefined, options);
    await server.inject({ url: '/healthz' });
    expect(lines).toEqual([]);
    for (let request = 0; request < 3; request += 1) {
      await server.inject({ url: '/', headers: { 'x-forwarded-for': '203.0.113.9' } });
    }
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      expect.stringContaining('KEYTURN_TRUSTED_PROXIES is 0'),
    ]);
    await server.close();
    const behindProxy = await serve({}, undefined, undefined, { ...options, trustedProxies: 1 });
    await behindProxy.inject({ url: '/', headers: { 'x-forwarded-for': '203.0.113.9' } });
    expect(lines).toHaveLength(1);
  });

  test('asks the browser to clear its cache when a client signs out, but not storage or cookies', async () => {
    const server = await serve({ 'POST /logout': async () => undefined, 'GET /milestones': async () => [] });
    const signedOut = await server.inject({ method: 'POST', url: '/api/logout', headers: bearer });
    expect(signedOut.headers['clear-site-data']).toBe('"cache"');
    const other = await server.inject({ url: '/api/milestones', headers: bearer });
    expect(other.headers['clear-site-data']).toBeUndefined();
  });

  test('answers calls with 503 during maintenance, except those the contract allows', async () => {
    const until = new Date(Date.now() + 90_000).toISOString();
    maintenance = { general: { message: 'Back after lunch.', until }, case_history: null };
    const server = await serve({ 'GET /maintenance': async () => maintenance });
    for (const key of Object.keys(calls) as CallKey[]) {
      const [method, path] = key.split(' ') as ['GET', string];
      const url = `/api${path.replace('{id}', 'x')}`;
      const response = await server.inject({ method, url, headers: { ...bearer, ...json } });
      if ('duringMaintenance' in calls[key]) {
        expect(response.statusCode, key).not.toBe(503);
        continue;
      }
      expect(response.statusCode, key).toBe(503);
      expect(response.json()).toEqual({ message: 'Back after lunch.', code: 'maintenance' });
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(80);
      expect(Number(response.headers['retry-after'])).toBeLessThanOrEqual(90);
    }
    expect((await server.inject({ url: '/api/maintenance' })).json().data).toEqual(maintenance);
  });

  test('answers only the case history with 503 while only that is in maintenance', async () => {
    maintenance = { general: null, case_history: { message: null, until: null } };
    const server = await serve({ 'GET /milestones': async () => [] });
    const history = await server.inject({ url: '/api/case-history', headers: bearer });
    expect(history.statusCode).toBe(503);
    expect(history.json().message).toBe('We are currently in maintenance, please try again later.');
    expect(history.headers['retry-after']).toBe('30');
    expect((await server.inject({ url: '/api/milestones', headers: bearer })).statusCode).toBe(200);
  });

  test('describes every call and its authentication in /api/openapi.json', async () => {
    const document = (await (await serve({})).inject({ url: '/api/openapi.json' })).json();
    expect(document.openapi).toBe('3.1.0');
    for (const key of Object.keys(calls) as CallKey[]) {
      const [method, path] = key.split(' ') as [string, string];
      const operation = document.paths[path]?.[method.toLowerCase()];
      expect(operation, key).toBeDefined();
      expect(operation.security).toEqual(calls[key].access === 'client' ? [{ bearer: [] }] : []);
      expect(Object.keys(operation.responses)).toContain(
        'data' in calls[key] || 'file' in calls[key] ? '200' : '204',
      );
    }
  });

  test('sends a strict Content-Security-Policy and other security headers', async () => {
    const { headers } = await (await serve({})).inject({ url: '/healthz' });
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).not.toMatch(/unsafe-(inline|eval)/);
    expect(headers['content-security-policy']).toContain("require-trusted-types-for 'script'");
    expect(headers['content-security-policy']).toMatch(/trusted-types keyturn(;|$)/);
    expect(headers['content-security-policy']).toContain("worker-src 'self'");
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers['content-security-policy']).toContain("frame-src 'none'");
    expect(headers['content-security-policy']).not.toContain('stripe');
    expect(headers['permissions-policy']).toMatch(/payment=\(self\)$/);
  });

  test('sends CORS headers with a 503 of an overloaded server, and still answers preflights', async () => {
    const origin = 'https://clients.example.com';
    const load = { maxConcurrentRequests: 1, lag: () => 5_000 };
    const server = await serve({}, undefined, undefined, { allowedOrigins: [origin], load });
    const { statusCode, headers } = await server.inject({ url: '/api/client', headers: { origin } });
    expect(statusCode).toBe(503);
    expect(headers).toMatchObject({
      'access-control-allow-origin': origin,
      'x-content-type-options': 'nosniff',
      'retry-after': '5',
    });
    const preflightHeaders = { origin, 'access-control-request-method': 'GET' };
    const preflight = await server.inject({
      method: 'OPTIONS',
      url: '/api/client',
      headers: preflightHeaders,
    });
    expect(preflight.statusCode).toBe(204);
  });

  test('allows Stripe’s scripts, frames and requests, and no others, if Stripe is the payment provider', async () => {
    const server = await serve({}, undefined, 'stripe');
    const { headers } = await server.inject({ url: '/healthz' });
    const policy = String(headers['content-security-policy']).split(';');
    expect(policy).toContain("script-src 'self' https://js.stripe.com https://*.js.stripe.com");
    expect(policy).toContain(
      'frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
    );
    expect(policy).toContain("connect-src 'self' https://api.stripe.com");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain('trusted-types keyturn');
    expect(policy.filter((rule) => rule.includes('stripe'))).toHaveLength(3);
    expect(headers['permissions-policy']).toContain(
      'payment=(self "https://js.stripe.com" "https://pay.google.com")',
    );
  });

  test.each([
    ['stripe', 'same-origin-allow-popups'],
    ['sandbox', 'same-origin'],
  ] as const)(
    'lets the windows of wallets answer only if they are used: the payment page with %s has the opener policy %s',
    async (provider, policy) => {
      const server = await serve({}, undefined, provider);
      for (const url of ['/payment', '/', '/payments', '/login']) {
        const { headers } = await server.inject({ url });
        expect(headers['cross-origin-opener-policy'], url).toBe(policy);
      }
    },
  );

  test('the HTTP server answers that it is alive but not ready', async () => {
    const server = await serve({}, async () => false);
    expect((await server.inject({ url: '/healthz' })).statusCode).toBe(200);
    expect((await server.inject({ url: '/readyz' })).statusCode).toBe(503);
  });
});
