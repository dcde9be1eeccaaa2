import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { allowOrigins } from './allow-origins.ts';
import { securityHeaders } from './security-headers.ts';

const dashboard = 'https://clients.example.com';

async function serverFor(origins: string[]) {
  const app = Fastify();
  await app.register(securityHeaders, { paymentProvider: 'sandbox', connect: ['https://api.example.com'] });
  await app.register(allowOrigins, { origins });
  app.get('/api/client', async () => ({ data: 1 }));
  app.post('/broadcasting/auth', async () => ({ auth: 'x' }));
  return app;
}

const preflight = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization',
};

describe('a dashboard of another origin', () => {
  test('that is named reads answers, without cookies', async () => {
    const app = await serverFor([dashboard]);
    const { headers } = await app.inject({ url: '/api/client', headers: { origin: dashboard } });
    expect(headers).toMatchObject({ 'access-control-allow-origin': dashboard, vary: 'origin' });
    expect(headers['access-control-expose-headers']).toMatch(/Content-Disposition.*Retry-After/);
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
  });

  test('that is named asks before, once in two hours', async () => {
    const app = await serverFor([dashboard]);
    const url = '/api/client';
    const answer = await app.inject({ method: 'OPTIONS', url, headers: { origin: dashboard, ...preflight } });
    expect(answer.statusCode).toBe(204);
    expect(answer.headers['access-control-allow-headers']).toMatch(/Authorization.*Idempotency-Key/);
    expect(answer.headers['access-control-max-age']).toBe('7200');
  });

  test('that is named has the channel authorised with the cookies that it sends', async () => {
    const app = await serverFor([dashboard]);
    const url = '/broadcasting/auth';
    const { headers } = await app.inject({ method: 'POST', url, headers: { origin: dashboard } });
    expect(headers['access-control-allow-credentials']).toBe('true');
  });

  test.each([
    'https://clients.example.com.evil.example',
    'http://clients.example.com',
    'https://CLIENTS.example.com',
    'null',
  ])('that is not named is given nothing: %s', async (origin) => {
    const app = await serverFor([dashboard]);
    for (const method of ['GET', 'OPTIONS'] as const) {
      const { headers } = await app.inject({ method, url: '/api/client', headers: { origin, ...preflight } });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(headers.vary).toBe('origin');
    }
  });

  test('is not there where none is named', async () => {
    const app = await serverFor([]);
    const { headers } = await app.inject({ url: '/api/client', headers: { origin: dashboard } });
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers.vary).toBeUndefined();
  });

  test('may connect where the policy of its page says so', async () => {
    const app = await serverFor([]);
    const { headers } = await app.inject({ url: '/api/client' });
    expect(headers['content-security-policy']).toContain("connect-src 'self' https://api.example.com;");
  });
});
