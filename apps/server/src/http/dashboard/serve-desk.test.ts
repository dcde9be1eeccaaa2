import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PublicConfig } from '@keyturn/contract';
import type { FastifyInstance } from 'fastify';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { securityHeaders } from '../security-headers.ts';
import { serveDashboard } from './serve-dashboard.ts';
import { serveDesk } from './serve-desk.ts';

const maintenance = { general: { message: null, until: null }, case_history: null };
const publicConfig = async () => ({ product_name: 'Keyturn', maintenance }) as PublicConfig;
/** No other server has a build. */
const findBuildFile = async () => null;
let folder: string;
let app: FastifyInstance;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keyturn-desk-'));
  for (const name of ['dashboard', 'desk']) {
    mkdirSync(join(folder, name, 'assets'), { recursive: true });
    writeFileSync(
      join(folder, name, 'index.html'),
      `<title>Keyturn ${name}</title><!--keyturn-config--><div id="root"></div>`,
    );
  }
  writeFileSync(join(folder, 'desk', 'preview.html'), '<title>Preview</title><!--keyturn-config-->');
  writeFileSync(join(folder, 'desk', 'assets', 'index-abc.js'), 'one');
  writeFileSync(join(folder, 'desk', 'assets', 'index-abc.js.br'), 'smaller');
  writeFileSync(join(folder, 'desk', 'before-paint.js'), 'two');
  app = Fastify();
  await app.register(securityHeaders, { paymentProvider: 'stripe', connect: ['wss://live.example.com'] });
  await app.register(serveDesk({ directory: join(folder, 'desk'), findBuildFile, publicConfig }), {
    prefix: '/desk',
  });
  await app.register(
    serveDashboard({
      directory: join(folder, 'dashboard'),
      keptBuilds: join(folder, 'kept'),
      findBuildFile,
      publicConfig,
    }),
  );
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('serveDesk', () => {
  test.each(['/desk', '/desk/', '/desk/cases/AF-1?tab=documents', '/desk/cases/AF-1.json', '/desk/%00'])(
    'answers %s with the desk’s page, even during maintenance, and browsers revalidate it',
    async (url) => {
      const { statusCode, headers, body } = await app.inject({ url });
      expect(statusCode).toBe(200);
      expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'x-robots-tag': 'noindex' });
      expect(body).toContain('<title>Keyturn desk');
      expect(body).toContain('id="keyturn-config"');
    },
  );

  test('the desk allows no other origin to its page and files, and no frame around them', async () => {
    for (const url of ['/desk', '/desk/assets/index-abc.js']) {
      const policy = String((await app.inject({ url })).headers['content-security-policy']);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/https:|wss:/);
    }
    expect(String((await app.inject({ url: '/' })).headers['content-security-policy'])).toContain(
      'stripe.com',
    );
  });

  test('the desk lets only its own pages contain the preview of a case, which may contain nothing itself', async () => {
    const { statusCode, headers, body } = await app.inject({ url: '/desk/preview' });
    expect([statusCode, headers['x-frame-options']]).toEqual([200, 'SAMEORIGIN']);
    expect(body).toContain('id="keyturn-config"');
    expect(headers['content-security-policy']).toContain("frame-ancestors 'self'");
    expect(headers['content-security-policy']).toContain("frame-src 'none'");
    const desk = (await app.inject({ url: '/desk/cases/1' })).headers;
    expect(desk['content-security-policy']).toContain("frame-src 'self'");
    expect(desk['x-frame-options']).toBe('DENY');
  });

  test('lets browsers cache the desk’s files with hashed names for a year, and sends them compressed', async () => {
    const { headers, body } = await app.inject({
      url: '/desk/assets/index-abc.js',
      headers: { 'accept-encoding': 'br' },
    });
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
      vary: 'accept-encoding',
    });
    expect(body).toBe('smaller');
    expect((await app.inject({ url: '/desk/before-paint.js' })).headers['cache-control']).toBe('no-cache');
  });

  test.each(['/desk/assets/gone.js', '/desk/assets/', '/desk/gone.js', '/desk/..%2f..%2fpackage.json'])(
    'answers %s with 404 and not with the desk’s page',
    async (url) => {
      const { statusCode, body } = await app.inject({ url });
      expect([statusCode, body]).toEqual([404, 'Not found\n']);
    },
  );

  test('the desk leaves every address outside its prefix to the dashboard', async () => {
    for (const url of ['/', '/desks', '/case/desk'])
      expect((await app.inject({ url })).body).toContain('<title>Keyturn dashboard');
  });
});
