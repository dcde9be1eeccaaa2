import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { PublicConfig } from '@keyturn/contract';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { answerError } from '../error-answers.ts';
import { securityHeaders } from '../security-headers.ts';
import { serveDashboard } from './serve-dashboard.ts';

const config = { product_name: '</script><script>alert(1)' } as PublicConfig;
/** No other server has a build. */
const findBuildFile = async () => null;
let directory: string;
let app: FastifyInstance;
beforeAll(async () => {
  directory = join(mkdtempSync(join(tmpdir(), 'keyturn-dashboard-')), 'dashboard');
  mkdirSync(join(directory, 'assets'), { recursive: true });
  mkdirSync(join(directory, '.vite'));
  writeFileSync(join(directory, 'index.html'), '<html><!--keyturn-config--></html>');
  writeFileSync(join(directory, 'assets', 'index-abc.js'), 'one');
  writeFileSync(join(directory, 'assets', 'index-abc.js.br'), 'smaller');
  mkdirSync(join(directory, 'builds', 'meta'), { recursive: true });
  writeFileSync(join(directory, 'builds', 'latest.json'), '{"id":"0123456789abcdef","timestamp":1}');
  writeFileSync(join(directory, 'builds', 'meta', '0123456789abcdef.json'), '{}');
  writeFileSync(join(directory, 'favicon.svg'), '<svg/>');
  writeFileSync(join(directory, '.vite', 'manifest.json'), '{}');
  writeFileSync(join(directory, '..', 'secret.txt'), 'a secret');
  app = Fastify();
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply));
  await app.register(
    serveDashboard({
      directory,
      keptBuilds: join(directory, '..', `${basename(directory)}-kept`),
      findBuildFile,
      publicConfig: async () => config,
    }),
  );
});
afterAll(async () => {
  await app.close();
  rmSync(dirname(directory), { recursive: true, force: true });
});

describe('serveDashboard', () => {
  test.each([
    '/',
    '/login',
    '/payment?x=1',
    '/no/such/page',
    '/documents/sale/contract',
    '/documents/%00/contract',
    '/%5c..%5c',
  ])('answers %s with the dashboard’s page', async (url) => {
    const response = await app.inject({ url });
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toContain('text/html');
    expect(response.headers['cache-control']).toBe('no-cache');
  });

  test.each([
    '/assets/../../secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/%2e%2e/%2e%2e/secret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/assets/%00../../secret.txt',
    '/assets//secret.txt',
    '/builds/..%2f..%2fsecret.txt',
    '/assets/../.vite/manifest.json',
  ])('fault 62: answers %s with 404, because it is outside its folder', async (url) => {
    const { statusCode, body } = await app.inject({ url });
    expect(statusCode).toBe(404);
    expect(body).not.toContain('a secret');
    expect(body).not.toBe('{}');
  });

  test('fault 60: escapes the configuration in the page so that it cannot close its element', async () => {
    const { body } = await app.inject({ url: '/' });
    expect(body).not.toContain('<script>alert');
    const json = /id="keyturn-config">(.*?)<\/script>/.exec(body)?.[1] ?? '';
    expect(JSON.parse(json)).toEqual(config);
  });

  test.each([
    ['sandbox', "frame-src 'none'", 'frame-src https://cdn.yoshki.com'],
    ['stripe', 'frame-src https://js.stripe.com', 'https://hooks.stripe.com https://cdn.yoshki.com'],
  ] as const)(
    'allows the frame of the regulator’s badge on the page Regulation alone, and only for a firm that has one (%s)',
    async (paymentProvider, usual, allowed) => {
      const regulation = { badge_url: 'https://cdn.yoshki.com/iframe/55845r.html' };
      const policiesOf = async (shown: object) => {
        const server = Fastify();
        await server.register(securityHeaders, { paymentProvider, connect: [] });
        await server.register(
          serveDashboard({
            directory,
            keptBuilds: join(directory, '..', `${basename(directory)}-kept`),
            findBuildFile,
            publicConfig: async () => ({ ...config, ...shown }) as PublicConfig,
          }),
        );
        const paths = ['/regulation', '/Regulation/?x=1', '/login', '/', '/complaints', '/regulations'];
        const answers = await Promise.all(paths.map((url) => server.inject({ url })));
        await server.close();
        return answers.map(({ headers }) => String(headers['content-security-policy']));
      };
      const [page, otherForm, ...others] = await policiesOf({ regulation });
      for (const policy of [page, otherForm]) expect(policy).toMatch(new RegExp(`${allowed}(;|$)`));
      for (const policy of [...others, ...(await policiesOf({ regulation: { badge_url: null } }))]) {
        expect(policy).toContain(usual);
        expect(policy).not.toContain('yoshki');
      }
    },
  );

  test('redirects a sign-in form submitted without JavaScript back to its page', async () => {
    const response = await app.inject({
      method: 'POST',
      url: '/login?next=%2Fpayments',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'email=amelia%40example.test&password=x',
    });
    expect(response.statusCode).toBe(303);
    expect(response.headers.location).toBe('/login?next=%2Fpayments');
  });

  test('redirects password managers to the page on which clients change their password', async () => {
    const response = await app.inject({ url: '/.well-known/change-password' });
    expect([response.statusCode, response.headers.location]).toEqual([303, '/account']);
  });

  test('lets browsers cache files with hashed names for a year, and other files only after revalidation', async () => {
    expect((await app.inject({ url: '/assets/index-abc.js' })).headers['cache-control']).toBe(
      'public, max-age=31536000, immutable',
    );
    expect((await app.inject({ url: '/favicon.svg' })).headers['cache-control']).toBe('no-cache');
  });

  test('lets browsers cache a build’s metadata for a year, and the latest build’s id only after revalidation', async () => {
    const meta = await app.inject({ url: '/builds/meta/0123456789abcdef.json' });
    expect(meta.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const latest = await app.inject({ url: '/builds/latest.json?1795261256219' });
    expect(latest.headers['cache-control']).toBe('no-cache');
    expect(latest.json()).toEqual({ id: '0123456789abcdef', timestamp: 1 });
  });

  test('sends the compressed files of the build to browsers that accept them', async () => {
    const compressed = await app.inject({
      url: '/assets/index-abc.js',
      headers: { 'accept-encoding': 'gzip, br' },
    });
    expect(compressed.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
    expect(compressed.headers['content-type']).toContain('javascript');
    expect(compressed.body).toBe('smaller');
    const plain = await app.inject({
      url: '/assets/index-abc.js',
      headers: { 'accept-encoding': 'identity' },
    });
    expect(plain.body).toBe('one');
    expect((await app.inject({ url: '/assets/index-abc.js.br' })).statusCode).toBe(404);
  });

  test.each([
    ['br', (body: Buffer) => brotliDecompressSync(body)],
    ['gzip', (body: Buffer) => gunzipSync(body)],
  ] as const)('compresses the page as %s', async (encoding, open) => {
    const plain = await app.inject({ url: '/' });
    const sent = await app.inject({ url: '/', headers: { 'accept-encoding': `${encoding}, x;q=0.5` } });
    expect(sent.headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' });
    expect(open(sent.rawPayload).toString()).toBe(plain.body);
    const uncompressed = await app.inject({ url: '/', headers: { 'accept-encoding': `${encoding};q=0` } });
    expect(uncompressed.headers['content-encoding']).toBeUndefined();
  });

  test('answers 304 if the browser already has the dashboard’s page', async () => {
    const { headers } = await app.inject({ url: '/' });
    const again = await app.inject({ url: '/login', headers: { 'if-none-match': `"x", ${headers.etag}` } });
    expect(again.statusCode).toBe(304);
    expect(again.body).toBe('');
    expect(again.headers['cache-control']).toBe('no-cache');
    expect((await app.inject({ url: '/', headers: { 'if-none-match': 'W/"older"' } })).statusCode).toBe(200);
  });

  test.each([
    '/assets/gone.js',
    '/assets/',
    '/assets/%00',
    '/assets/a.js%00',
    '/builds/meta/gone.json',
    '/builds/meta/..%2flatest.json',
    '/gone.css',
    '/.vite/manifest.json',
    '/..%2f..%2fpackage.json',
    '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200',
  ])('answers %s with 404 and not with the dashboard’s page', async (url) => {
    const response = await app.inject({ url });
    expect(response.statusCode).toBe(404);
    expect(response.body).not.toContain('<html>');
  });

  test('a server continues to serve its own build of the dashboard when another one is built into the same folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keyturn-dashboard-'));
    cpSync(directory, join(folder, 'dist'), { recursive: true });
    const server = Fastify();
    await server.register(
      serveDashboard({
        directory: join(folder, 'dist'),
        keptBuilds: join(folder, 'kept'),
        findBuildFile,
        publicConfig: async () => config,
      }),
    );
    await server.listen({ port: 0 });
    await expect.poll(() => existsSync(join(folder, 'kept', '0123456789abcdef'))).toBe(true);
    rmSync(join(folder, 'dist'), { recursive: true });
    mkdirSync(join(folder, 'dist', 'builds'), { recursive: true });
    writeFileSync(join(folder, 'dist', 'builds', 'latest.json'), '{"id":"fedcba9876543210","timestamp":2}');
    const file = await server.inject({
      url: '/assets/index-abc.js',
      headers: { 'accept-encoding': 'br' },
    });
    expect([file.statusCode, file.body, file.headers['content-encoding']]).toEqual([200, 'smaller', 'br']);
    expect(file.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect((await server.inject({ url: '/builds/meta/0123456789abcdef.json' })).statusCode).toBe(200);
    expect((await server.inject({ url: '/builds/latest.json' })).json().id).toBe('0123456789abcdef');
    expect((await server.inject({ url: '/' })).statusCode).toBe(200);
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each([
    ['does not respond', () => new Promise<never>(() => {})],
    ['is unavailable', () => Promise.reject(new Error('no connection'))],
  ])(
    'serves the last dashboard configuration while the database %s, with one query for concurrent requests',
    async (_how, fail) => {
      const folder = mkdtempSync(join(tmpdir(), 'keyturn-dashboard-'));
      const read = vi.fn(async () => config);
      const server = Fastify();
      await server.register(
        serveDashboard({ directory, keptBuilds: join(folder, 'kept'), findBuildFile, publicConfig: read }),
      );
      await server.ready();
      const later = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 2_000);
      read.mockReset().mockImplementation(fail);
      const answers = await Promise.all([1, 2, 3].map(() => server.inject({ url: '/' })));
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
      expect(read).toHaveBeenCalledTimes(1);
      later.mockRestore();
      await server.close();
      rmSync(folder, { recursive: true });
    },
  );

  test('fault 47: reads the dashboard configuration again within seconds although the clock was set back ten minutes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keyturn-dashboard-'));
    const read = vi.fn(async () => config);
    const server = Fastify();
    await server.register(
      serveDashboard({ directory, keptBuilds: join(folder, 'kept'), findBuildFile, publicConfig: read }),
    );
    await server.inject({ url: '/' });
    const before = read.mock.calls.length;
    vi.useFakeTimers({ now: Date.now() - 600_000, toFake: ['Date'] });
    try {
      await expect
        .poll(async () => {
          await server.inject({ url: '/' });
          return read.mock.calls.length;
        })
        .toBeGreaterThan(before);
    } finally {
      vi.useRealTimers();
    }
    await server.close();
    rmSync(folder, { recursive: true });
  });

  test('answers methods other than GET and HEAD for the dashboard with 404', async () => {
    expect((await app.inject({ method: 'POST', url: '/milestones' })).statusCode).toBe(404);
  });
});
