import { type RequestPolicy, usualPolicy } from '@keyturn/contract';
import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { allowOrigins } from './allow-origins.ts';
import { securityHeaders } from './security-headers.ts';

const dashboard = 'https://clients.example.com';

async function createApp(origins: string[]) {
  const app = Fastify();
  await app.register(securityHeaders, { paymentProvider: 'sandbox', connect: ['https://api.example.com'] });
  await app.register(allowOrigins, { origins });
  const route = (cookies: RequestPolicy['cookies']) => ({
    config: { policy: { ...usualPolicy, cookies } },
  });
  app.get('/api/client', route('own-origin'), async () => ({ data: 1 }));
  app.get('/api/staff/session', route('no-other-origin'), async () => ({ data: 1 }));
  app.get('/api/both', route('own-origin'), async () => ({ data: 1 }));
  app.post('/api/both', route('allowed-origins'), async () => ({ data: 1 }));
  app.post('/broadcasting/auth', route('allowed-origins'), async () => ({ auth: 'x' }));
  return app;
}

const preflight = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization',
};

describe('dashboards on other origins', () => {
  test('an allowed origin can read API responses, but not with cookies', async () => {
    const app = await createApp([dashboard]);
    const { headers } = await app.inject({ url: '/api/client', headers: { origin: dashboard } });
    expect(headers).toMatchObject({ 'access-control-allow-origin': dashboard, vary: 'Origin' });
    expect(headers['access-control-expose-headers']).toMatch(/Content-Disposition.*Retry-After/);
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
  });

  test.each([
    ['POST', '/broadcasting/auth', dashboard, 'true'],
    ['GET', '/api/client', dashboard, undefined],
    ['GET', '/api/both', dashboard, undefined],
    ['POST', '/api/both', dashboard, 'true'],
    ['GET', '/api/unknown', dashboard, undefined],
    ['GET', '/api/staff/session', undefined, undefined],
    ['GET', '/unknown', undefined, undefined],
  ])(
    'a preflight request for %s %s allows the origin %s, and cookies: %s',
    async (method, url, allowed, cookies) => {
      const app = await createApp([dashboard]);
      const { headers } = await app.inject({
        method: 'OPTIONS',
        url,
        headers: { origin: dashboard, ...preflight, 'access-control-request-method': method },
      });
      expect(headers['access-control-allow-origin']).toBe(allowed);
      expect(headers['access-control-allow-credentials']).toBe(cookies);
    },
  );

  test('an allowed origin gets a preflight response that browsers cache for two hours', async () => {
    const app = await createApp([dashboard]);
    const url = '/api/client';
    const answer = await app.inject({ method: 'OPTIONS', url, headers: { origin: dashboard, ...preflight } });
    expect(answer.statusCode).toBe(204);
    expect(answer.headers['access-control-allow-headers']).toMatch(/Authorization.*Idempotency-Key/);
    expect(answer.headers['access-control-max-age']).toBe('7200');
  });

  test.each(['/api/staff/session', '/%61pi/staff/session', '/api/%73taff/session?x=/api/client'])(
    'an allowed origin gets nothing of the staff API at %s',
    async (url) => {
      const app = await createApp([dashboard]);
      const { statusCode, headers } = await app.inject({ url, headers: { origin: dashboard } });
      expect(statusCode).toBe(200);
      expect(headers['access-control-allow-origin']).toBeUndefined();
      expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    },
  );

  test('an allowed origin cannot send cookies to the API, however its path is encoded', async () => {
    const app = await createApp([dashboard]);
    const { statusCode, headers } = await app.inject({
      url: '/%61pi/client',
      headers: { origin: dashboard },
    });
    expect(statusCode).toBe(200);
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  });

  test('an allowed origin can send cookies to authorise the real-time channel', async () => {
    const app = await createApp([dashboard]);
    const url = '/broadcasting/auth';
    const { headers } = await app.inject({ method: 'POST', url, headers: { origin: dashboard } });
    expect(headers['access-control-allow-credentials']).toBe('true');
  });

  test.each([
    'https://clients.example.com.evil.example',
    'http://clients.example.com',
    'https://CLIENTS.example.com',
    'null',
  ])('the origin %s is not allowed and gets no CORS headers', async (origin) => {
    const app = await createApp([dashboard]);
    for (const method of ['GET', 'OPTIONS'] as const) {
      const { headers } = await app.inject({ method, url: '/api/client', headers: { origin, ...preflight } });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(headers.vary).toBe('Origin');
    }
  });

  test('sends no CORS headers if no origin is allowed', async () => {
    const app = await createApp([]);
    const { headers } = await app.inject({ url: '/api/client', headers: { origin: dashboard } });
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers.vary).toBeUndefined();
  });

  test('the content security policy lets the page connect to the origins in the settings', async () => {
    const app = await createApp([]);
    const { headers } = await app.inject({ url: '/api/client' });
    expect(headers['content-security-policy']).toContain("connect-src 'self' https://api.example.com;");
  });
});
