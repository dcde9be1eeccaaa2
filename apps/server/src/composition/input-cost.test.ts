import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildCase, createTestServer, type TestServer } from '@keyturn/testkit';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** A request with about `size` characters of hostile input. */
type HostileRequest = (size: number) => InjectOptions;

let server: TestServer;
let authorization: string;
beforeAll(async () => {
  server = await createTestServer({
    env: { LOG_LEVEL: 'info', KEYTURN_TRUSTED_PROXIES: '2' },
    logTo: { write: () => {} },
  });
  const { clientId } = await buildCase(server.database, {});
  authorization = (await server.signInAs(clientId)).authorization;
});
afterAll(() => server.stop());

const repeat = (part: string, size: number) => part.repeat(Math.ceil(size / part.length)).slice(0, size);

/** Texts that are expensive for a pattern that is tried again at every character. */
const texts: Record<string, string> = {
  'single digits': '4 ',
  'card numbers': '4539148803436467 ',
  'digits and dashes': '4---',
  'full-width digits': '４ ',
  'ligatures that expand': '\uFDFA',
  'email addresses': 'a@a.',
  'escaped digits': '%34%20',
  'parts of an id': 'a1b2c3d4-',
};

const json = { 'content-type': 'application/json' };
const post = (url: string, payload: string, headers: Record<string, string> = json): InjectOptions => ({
  method: 'POST',
  url,
  payload,
  headers,
});
/** Characters that Node’s HTTP parser accepts in a path. */
const inPath = (text: string, size: number) =>
  repeat(encodeURI(text).replaceAll('%25', '%'), size).replace(/%.?$/, '');

const bodies: Record<string, HostileRequest> = {};
const paths: Record<string, HostileRequest> = {};
for (const [name, text] of Object.entries(texts)) {
  const field = (size: number) => repeat(text, size);
  bodies[`a sign-in with ${name} as email`] = (size) =>
    post('/api/login', JSON.stringify({ email: field(size), password: 'x' }));
  bodies[`a sign-in with ${name} as password`] = (size) =>
    post('/api/login', JSON.stringify({ email: 'a@example.test', password: field(size) }));
  bodies[`a field named with ${name}`] = (size) => post('/api/login', JSON.stringify({ [field(size)]: 1 }));
  bodies[`a payment with ${name} as reference`] = (size) =>
    post('/api/other-payments', JSON.stringify({ category: 'other', amount: 1, reference: field(size) }), {
      ...json,
      authorization,
    });
  bodies[`a webhook of ${name}`] = (size) => post('/api/webhooks/sandbox', field(size));
  bodies[`a channel authorisation of ${name}`] = (size) =>
    post('/broadcasting/auth', field(size), { authorization });
  bodies[`a published event of ${name}`] = (size) => post('/apps/keyturn/events?auth_key=x', field(size));
  bodies[`an answer at the sandbox’s bank of ${name}`] = (size) =>
    post('/api/sandbox/bank/unknown/approve', field(size), {
      'content-type': 'application/x-www-form-urlencoded',
    });
  bodies[`a policy report of ${name}`] = (size) =>
    post('/policy-reports', JSON.stringify({ 'csp-report': { 'effective-directive': field(size) } }));
  bodies[`a form of ${name}`] = (size) => post('/login', field(size), { 'content-type': 'text/plain' });
  for (const start of [
    '/',
    '/api/',
    '/api/payments/',
    '/apps/keyturn/channels?auth_key=',
    '/documents/',
    '/assets/',
    '/desk/',
    '/%zz',
    '/?',
    '/api/client?',
  ]) {
    paths[`${start} and ${name}`] = (size) => ({ url: start + inPath(text, size) });
  }
}
Object.assign(bodies, {
  'nested arrays': (size: number) => post('/api/login', `${'['.repeat(size / 2)}${']'.repeat(size / 2)}`),
  'many fields': (size: number) =>
    post('/api/login', `{${Array.from({ length: size / 12 }, (_, at) => `"a${at}":"4 4"`).join()}}`),
  'repeated fields': (size: number) => post('/api/login', `{${repeat('"a":{ },', size)}"a":1}`),
  'a prototype': (size: number) => post('/api/login', `{"a":[${repeat('{"__proto_":1},', size)}1]}`),
  'invalid JSON': (size: number) => post('/api/login', repeat('{"a":', size)),
} satisfies Record<string, HostileRequest>);

const headers: Record<string, HostileRequest> = {};
for (const [header, part] of [
  ['authorization', 'Bearer '],
  ['authorization', 'a'],
  ['accept-encoding', 'gzip;q=0,'],
  ['content-type', 'application/json;'],
  ['cookie', 'keyturn-session-a=b; '],
  ['idempotency-key', '4-'],
  ['if-none-match', '"x",'],
  ['origin', 'https://a'],
  ['range', '0-1,'],
  ['x-forwarded-for', '1.1.1.1, '],
  ['x-socket-id', '1.1'],
] as const) {
  for (const url of ['/', '/api/case-history']) {
    headers[`${header} of “${part}” for ${url}`] = (size) => ({
      url,
      headers: { authorization, [header]: (header === 'range' ? 'bytes=' : '') + repeat(part, size) },
    });
  }
}

headers['authorization for the feed'] = (size) => ({
  url: '/api/feed/changes',
  headers: { authorization: `Bearer kt_feed_${repeat('a', size)}` },
});
headers['cookie of a client'] = (size) => ({
  url: '/api/client',
  headers: {
    cookie: repeat('keyturn-session-aaaaaaaa=b; ', size),
    authorization: `Bearer kt_half_${'a'.repeat(38)}`,
  },
});
headers['cookie for staff'] = (size) => ({
  url: '/api/staff/session',
  headers: { cookie: repeat('__Host-keyturn-staff=a; ', size) },
});
headers['many headers'] = (size) => ({
  url: '/',
  headers: Object.fromEntries(Array.from({ length: size / 10 }, (_, at) => [`x-a${at}`, '1'])),
});

/** Bytes: the limits of a request's body, and of its path and headers in Node.js. */
const groups = [
  { kind: 'body', requests: bodies, largest: 96_000 },
  { kind: 'path', requests: paths, largest: 15_000 },
  { kind: 'header', requests: headers, largest: 15_000 },
];

let addresses = 0;
/** Uses different addresses, so that the limit by address does not make requests cheap. */
function fromNewAddress(request: InjectOptions): InjectOptions {
  addresses += 1;
  const address = `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`;
  return { ...request, headers: { 'x-forwarded-for': address, ...request.headers } };
}

/** Sends a request. Signed ones are answered before Fastify, which injected requests do not reach. */
async function send(request: InjectOptions): Promise<void> {
  const { url, method, payload, headers: sent } = request;
  if (!String(url).startsWith('/apps/')) {
    await server.app.inject(request);
    return;
  }
  const body = payload === undefined ? {} : { body: String(payload) };
  const init = { method: method ?? 'GET', headers: sent as Record<string, string>, ...body };
  const answer = await fetch(server.url + url, init);
  await answer.arrayBuffer();
}

/**
 * Returns the minimum processor time of a few requests, in milliseconds, as soon as it is below `enough`. Other work
 * on the machine can only increase it.
 */
async function costOf(
  request: InjectOptions,
  { enough, runs }: { enough: number; runs: number },
): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs && lowest >= enough; run += 1) {
    const before = process.cpuUsage();
    await send(fromNewAddress(request));
    const { user, system } = process.cpuUsage(before);
    lowest = Math.min(lowest, (user + system) / 1_000);
  }
  return lowest;
}

/** Milliseconds of processor time: several times what a slow machine needs. */
const allowed = { perRequest: 6, perKilobyte: 0.3 };

describe('the cost of a request with hostile input', () => {
  for (const { kind, requests, largest } of groups) {
    test.each(Object.keys(requests))(
      `fault 58: the cost of hostile input is limited per kilobyte, and linear, for a ${kind}: %s`,
      async (name) => {
        const request = requests[name] as HostileRequest;
        const quarter = await costOf(request(largest / 4), { enough: 0, runs: 3 });
        const limit = allowed.perRequest + Math.min(6 * quarter, (allowed.perKilobyte * largest) / 1_000);
        expect(await costOf(request(largest), { enough: limit, runs: 20 })).toBeLessThan(limit);
      },
    );
  }

  test('the cost of hostile input is measured for every hook, parser and serialiser that reads it', () => {
    expect(findHooks()).toEqual(Object.keys(measured).sort());
    const names = new Set(groups.flatMap(({ requests }) => Object.keys(requests)));
    for (const [hook, inputs] of Object.entries(measured)) {
      expect(
        inputs.filter((input) => ![...names].some((name) => name.startsWith(input))),
        hook,
      ).toEqual([]);
    }
  });
});

/**
 * All code outside handlers that reads requests, with the inputs above that reach it, by the start of their names.
 * Add the inputs for a new one.
 */
const measured: Record<string, string[]> = {
  'adapters/sandbox/bank-page.ts addContentTypeParser': ['an answer at the sandbox’s bank of'],
  // These only pass on the body of a caller with a key.
  'doors/feed/batches/batches-routes.ts addContentTypeParser': [],
  'doors/feed/files/files-routes.ts addContentTypeParser': [],
  'doors/provider-webhooks/webhook-route.ts addContentTypeParser': ['a webhook of'],
  'doors/provider-webhooks/webhook-route.ts errorHandler': ['a webhook of'],
  'doors/client/authorise-channels.ts addContentTypeParser': ['a channel authorisation of'],
  'http/answer-signed-requests.ts answerSigned': [
    'a published event of',
    '/apps/keyturn/channels?auth_key= and',
  ],
  'http/allow-origins.ts delegator': ['origin of', '/ and'],
  'http/allow-origins.ts onRequest': ['origin of', '/ and'],
  'http/input/input-checks.ts preHandler': ['a payment with', 'idempotency-key of', '/api/client? and'],
  'http/input/input-checks.ts preValidation': ['/api/payments/ and'],
  'http/create-server.ts addContentTypeParser': [
    'a sign-in with',
    'a prototype',
    'invalid JSON',
    'repeated fields',
  ],
  // These answer without reading the input.
  'http/create-server.ts clientErrorHandler': [],
  'http/create-server.ts frameworkErrors': [],
  'http/create-server.ts onRequest': ['/ and'],
  'http/create-server.ts rewriteUrl': ['/%zz and', '/ and', '/? and'],
  'http/create-server.ts setErrorHandler': ['invalid JSON', 'a field named with'],
  'http/create-server.ts setNotFoundHandler': ['/api/ and'],
  'http/create-server.ts trustProxy': ['x-forwarded-for of'],
  'http/dashboard/serve-dashboard.ts addContentTypeParser': ['a form of'],
  'http/dashboard/serve-dashboard.ts setNotFoundHandler': ['/ and', '/documents/ and', '/assets/ and'],
  'http/dashboard/serve-desk.ts onRequest': ['/desk/ and'],
  'http/limits/limit-requests.ts onRequest': ['x-forwarded-for of', '/api/ and'],
  'http/log-requests.ts onResponse': ['/ and', '/api/ and', '/? and'],
  'http/logger-options.ts streamWrite': ['/ and', '/api/ and', '/? and'],
  'http/input/reject-ambiguous-requests.ts onRequest': ['/%zz and', 'many headers'],
  'http/register-calls.ts onRequest': ['authorization of', 'authorization for the feed', 'cookie for staff'],
  'http/create-server.ts setValidatorCompiler': ['a field named with', 'many fields', 'nested arrays'],
  'http/security-headers.ts onRequest': ['/ and'],
  'http/security/allow-hosts.ts onRequest': ['/ and'],
  'http/security/policy-reports.ts addContentTypeParser': ['a policy report of'],
  'http/shed-load.ts onRequest': ['/ and', '/api/ and'],
  // This runs only for a signed-in member; reading the file is measured in read-sheet.test.ts.
  'http/staff/staff-calls.ts addContentTypeParser': [],
  'http/staff/staff-calls.ts preParsing': [],
  // These read nothing of a request unless traces are sent; then a header of at most 16 KB by one pattern.
  'http/trace-requests.ts onRequest': [],
  'http/trace-requests.ts onResponse': [],
  'http/trace-requests.ts preValidation': [],
  'http/warn-of-proxies.ts onRequest': ['many headers'],
};

/** Lists the hooks in the server's sources, as file and name. */
function findHooks(): string[] {
  const folder = fileURLToPath(new URL('../', import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const hooks = files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) =>
      [...readFileSync(folder + file, 'utf8').matchAll(hookPattern)].map(
        ([, hook, named, set, signed]) => `${file.replaceAll('\\', '/')} ${hook ?? named ?? set ?? signed}`,
      ),
    );
  return [...new Set(hooks)].sort();
}

const hookPattern =
  /\baddHook\(\s*'(onRequest|pre\w+|onSend|onResponse|onError|onTimeout|onRequestAbort)'|\b(onRequest|preParsing|preValidation|preHandler|preSerialization|onSend|onResponse|errorHandler|trustProxy|frameworkErrors|clientErrorHandler|rewriteUrl|delegator|streamWrite): (?:async )?(?:\(|\w+\b)|\b(addContentTypeParser|setErrorHandler|setNotFoundHandler|setValidatorCompiler)\(|\bfunction (answerSigned)\(/g;
