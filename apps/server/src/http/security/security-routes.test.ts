import { createTestServer, type TestServer } from '@keyturn/testkit';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createHostCheck } from '../../platform/requests/host-check.ts';
import { outcomeOfUpgrade } from '../../testing/real-time/channel-test-clients.ts';

const lines: string[] = [];
let server: TestServer;
let plain: TestServer;
beforeAll(async () => {
  server = await createTestServer({
    env: {
      KEYTURN_SECURITY_CONTACT: 'security@firm.example',
      KEYTURN_PUBLIC_URL: 'https://clients.firm.example/',
      KEYTURN_ALLOWED_HOSTS: 'clients.firm.example, desk.firm.example:8443',
      KEYTURN_API_DESCRIPTIONS: 'off',
      LOG_LEVEL: 'warn',
    },
    logTo: { write: (line) => lines.push(line) },
  });
  plain = await createTestServer();
});
afterAll(() => Promise.all([server.stop(), plain.stop()]));

const host = 'clients.firm.example';
const get = (url: string, headers: Record<string, string> = { host }) => server.app.inject({ url, headers });
const report = (violation: unknown, size = 1) =>
  server.app.inject({
    method: 'POST',
    url: '/policy-reports',
    headers: { host, 'content-type': 'application/csp-report' },
    payload: JSON.stringify({ 'csp-report': violation, more: 'x'.repeat(size) }),
  });
const violations = () =>
  lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'policy-violation');

test('security.txt names the contact, expires within a year, and is its own canonical address', async () => {
  const { body, headers } = await get('/.well-known/security.txt');
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  const fields = new Map(
    body
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  expect(fields.get('Contact')).toBe('mailto:security@firm.example');
  expect(fields.get('Canonical')).toBe('https://clients.firm.example/.well-known/security.txt');
  expect(fields.get('Expires')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const days = (Date.parse(fields.get('Expires') ?? '') - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(29);
  expect(days).toBeLessThan(31);
});

test('security.txt does not exist without a contact', async () => {
  const { statusCode, body } = await plain.app.inject('/.well-known/security.txt');
  expect(statusCode).toBe(404);
  expect(body).not.toContain('Contact');
});

test('requests to other host names are rejected with the security headers of every response', async () => {
  for (const [name, status] of [
    ['clients.firm.example', 200],
    ['CLIENTS.firm.example', 200],
    ['clients.firm.example:443', 200],
    ['clients.firm.example:80', 200],
    ['clients.firm.example:8080', 421],
    ['desk.firm.example:8443', 200],
    ['desk.firm.example', 421],
    ['attacker.example', 421],
    ['clients.firm.example.attacker.example', 421],
  ] as const) {
    const { statusCode, headers } = await get('/', { host: name });
    expect(statusCode, name).toBe(status);
    expect(headers['content-security-policy'], name).toContain("default-src 'none'");
  }
  expect((await get('/healthz', { host: '10.0.0.7' })).statusCode).toBe(200);
  expect((await plain.app.inject({ url: '/', headers: { host: 'any.example' } })).statusCode).toBe(200);
});

test('the first refused host name and then one an hour is logged with the setting, bounded and printable', async () => {
  await get('/', { host: 'attacker.example' });
  expect(lines.join()).toContain('KEYTURN_ALLOWED_HOSTS');
  const warnings: string[] = [];
  const servesHost = createHostCheck(['clients.firm.example'], (message) => warnings.push(message));
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    expect(servesHost(`10.0.0.7\r\n{"level":60}${'x'.repeat(200)}`)).toBe(false);
    expect(servesHost('attacker.example')).toBe(false);
    expect(warnings).toEqual([expect.stringMatching(/^[ -~]{1,300} KEYTURN_ALLOWED_HOSTS$/)]);
    expect(warnings[0]).toContain('the host 10.0.0.7??{"level":60}xxx');
    vi.advanceTimersByTime(3_600_000);
    expect(servesHost(undefined)).toBe(false);
    expect(warnings[1]).toContain('no host');
  } finally {
    vi.useRealTimers();
  }
});

test('WebSocket connections to other host names are rejected like requests', async () => {
  const address = `${server.url.replace('http', 'ws')}/app/unknown-key?protocol=7`;
  for (const [name, outcome] of [
    // The name is served, and the key is checked.
    ['CLIENTS.firm.example', 4001],
    ['desk.firm.example:8443', 4001],
    ['attacker.example', 421],
    [new URL(server.url).host, 421],
  ] as const) {
    expect(await outcomeOfUpgrade(address, { host: name }), name).toBe(outcome);
  }
});

test('the descriptions of the APIs do not exist if they are switched off', async () => {
  for (const url of ['/api/openapi.json', '/api/feed/openapi.json', '/docs/api.css']) {
    expect((await get(url)).statusCode, url).toBe(404);
    expect((await plain.app.inject(url)).statusCode, url).toBe(200);
  }
  expect((await get('/docs/api')).body).not.toContain('OpenAPI');
  // The desk then has no link to them.
  expect((await get('/desk')).body).toContain('"api_descriptions":false');
  expect((await plain.app.inject('/desk')).body).toContain('"api_descriptions":true');
});

test('violations of the content security policy are reported to the log, without what follows a path', async () => {
  const { headers } = await get('/');
  expect(headers['content-security-policy']).toContain('report-uri /policy-reports');
  const { statusCode } = await report({
    'effective-directive': 'script-src',
    'blocked-uri': 'https://attacker.example/script.js?stolen=1',
    'document-uri': 'https://clients.firm.example/password/reset?token=canary#canary',
    'source-file': 7,
    'script-sample': 'canary',
  });
  expect(statusCode).toBe(204);
  expect(violations()).toMatchObject([
    {
      directive: 'script-src',
      blocked: 'https://attacker.example/script.js',
      page: 'https://clients.firm.example/password/reset',
      source: '',
    },
  ]);
  expect(lines.join('')).not.toContain('canary');
});

test('reports of violations that are malformed, too long or too many are not logged', async () => {
  const before = violations().length;
  for (const malformed of [null, 7, 'text', [], {}, { 'effective-directive': 7 }])
    expect((await report(malformed)).statusCode).toBe(204);
  expect(violations()).toHaveLength(before);
  expect((await report({ 'effective-directive': 'img-src' }, 20_000)).statusCode).toBe(413);
  for (let sent = 0; sent < 30; sent += 1) await report({ 'effective-directive': 'img-src' });
  expect(violations().length).toBeLessThanOrEqual(20);
});
