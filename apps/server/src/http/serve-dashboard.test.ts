import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PublicConfig } from '@keyturn/contract';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerError } from './error-answers.ts';
import { serveDashboard } from './serve-dashboard.ts';

const config = { product_name: '</script><script>alert(1)' } as PublicConfig;
let directory: string;
let app: FastifyInstance;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'keyturn-dashboard-'));
  mkdirSync(join(directory, 'assets'));
  mkdirSync(join(directory, '.vite'));
  writeFileSync(join(directory, 'index.html'), '<html><!--keyturn-config--></html>');
  writeFileSync(join(directory, 'assets', 'index-abc.js'), 'one');
  writeFileSync(join(directory, 'favicon.svg'), '<svg/>');
  writeFileSync(join(directory, '.vite', 'manifest.json'), '{}');
  app = Fastify();
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply));
  await app.register(serveDashboard({ directory, publicConfig: async () => config }));
});
afterAll(async () => {
  await app.close();
  rmSync(directory, { recursive: true, force: true });
});

describe('the served dashboard', () => {
  test.each([
    '/',
    '/login',
    '/payment?x=1',
    '/no/such/page',
    '/documents/sale/contract',
    '/documents/%00/contract',
    '/%5c..%5c',
  ])('answers %s with the page', async (url) => {
    const response = await app.inject({ url });
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toContain('text/html');
    expect(response.headers['cache-control']).toBe('no-cache');
  });

  test('puts the configuration into the page as data that cannot end its own element', async () => {
    const { body } = await app.inject({ url: '/' });
    expect(body).not.toContain('<script>alert');
    const json = /id="keyturn-config">(.*?)<\/script>/.exec(body)?.[1] ?? '';
    expect(JSON.parse(json)).toEqual(config);
  });

  test('keeps hashed files for ever and others not at all', async () => {
    expect((await app.inject({ url: '/assets/index-abc.js' })).headers['cache-control']).toBe(
      'public, max-age=31536000, immutable',
    );
    expect((await app.inject({ url: '/favicon.svg' })).headers['cache-control']).toBe('no-cache');
  });

  test.each([
    '/assets/gone.js',
    '/assets/',
    '/assets/%00',
    '/assets/a.js%00',
    '/builds/latest.json',
    '/gone.css',
    '/.vite/manifest.json',
    '/..%2f..%2fpackage.json',
  ])('answers %s with a real 404, never with the page', async (url) => {
    const response = await app.inject({ url });
    expect(response.statusCode).toBe(404);
    expect(response.body).not.toContain('<html>');
  });

  test('answers other methods than GET with 404', async () => {
    expect((await app.inject({ method: 'POST', url: '/login' })).statusCode).toBe(404);
  });
});
