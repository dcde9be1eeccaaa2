import { setTimeout as pause } from 'node:timers/promises';
import { feedFormat, signatureConsent } from '@keyturn/contract';
import { feedKinds, type StaffRole } from '@keyturn/contract/staff';
import { buildCase, buildStoredDocument, ownCard, withTestServer } from '@keyturn/testkit';
import { beforeAll, expect, test } from 'vitest';
import { createFeedKey } from '../doors/feed/keys/feed-keys.ts';
import { staffCsrfTokenOf } from '../people/staff/sign-in/staff-sessions.ts';
import { accessMatrix, type Caller, callers } from '../testing/access-matrix.ts';
import { buildStaff, startStaffSession } from '../testing/serve-staff.ts';
import { signInWithHalves } from '../testing/sign-in-with-halves.ts';

const server = withTestServer();
const origin = 'http://desk.example.test';
const unknownId = '00000000-0000-4000-8000-000000000000';

/** The values of `:id` and other parameters, by the start of the path; the longest match applies. */
const parameters: Record<string, string> = {
  '/api/feed/documents/:reference': 'UNKNOWN',
  '/api/feed/:kind/:reference': 'UNKNOWN',
};
/** The bodies of requests; calls that are not listed have none. */
const bodies: Record<string, object> = {
  'POST /api/staff/payments/:id/refunds': {
    amount: 100,
    reason: 'duplicate',
    note: 'Paid twice',
    key: 'any-key-1',
  },
  'POST /api/staff/payments/:id/allocation': { office: 0, reason: 'Test', former: 0 },
  'POST /api/staff/payments/:id/matter': { matter_id: '00000000-0000-4000-8000-000000000001' },
  'POST /api/staff/payments/:id/payer-check': {
    relationship: 'Mother',
    source: 'Savings',
    identity: 'Passport',
    approved_by: 'Dana',
  },
  'POST /api/staff/payments/:id/review': { decision: 'sync' },
  'POST /api/staff/ledger/payouts/:id': { fact: 'matched', on: null, former: null },
  'POST /api/staff/refunds/:id/reject': { reason: 'Not due' },
  'POST /api/staff/payment-links': { search: 'UNKNOWN', key: 'any-key-1' },
  'POST /api/staff/audit/verify': {},
  'POST /api/case-searches/:id/payments': ownCard,
  'POST /api/payments/:id/confirm': {},
  'POST /api/feed/batches': {
    format: feedFormat,
    as_of: '2026-11-23',
    clients: [{ reference: 'C-1' }],
  },
};
let ownerId = '';
const credentials = {} as Record<Caller, () => Promise<Record<string, string>> | Record<string, string>>;

beforeAll(async () => {
  const built = await buildCase(server.database, { clients: [{}, {}] });
  const other = await buildCase(server.database, {});
  const [owner = '', joint = ''] = built.clientIds;
  ownerId = owner;
  credentials.client = () => server.signInAs(owner, { isSteppedUp: true });
  credentials['joint client'] = () => server.signInAs(joint, { isSteppedUp: true });
  credentials['other client'] = () => server.signInAs(other.clientId, { isSteppedUp: true });
  for (const role of ['handler', 'finance', 'admin'] as const) await addStaff(role);
  await addKey('read feed key', 'read');
  await addKey('write feed key', 'write');
  credentials.anyone = () => ({});
  const { rows } = await server.pool.query(
    'select s.id from case_searches s join matters m on m.id = s.matter_id where m.case_id = $1',
    [built.id],
  );
  const document = await buildStoredDocument(server.database, server.files, {
    matterId: built.matterId,
    signing: 'simple',
  });
  const started = await server.app.inject({
    method: 'POST',
    url: `/api/case-searches/${rows[0].id}/payments`,
    headers: await server.signInAs(owner),
    payload: ownCard,
  });
  bodies['PUT /api/client/active-case'] = { id: built.id };
  bodies['POST /api/documents/:id/signature'] = {
    name: 'Another Name',
    consent: signatureConsent('exchange'),
    sha256: document.sha256,
  };
  parameters['/api/staff/cases/:id'] = built.id;
  parameters['/api/staff/documents/:id'] = document.id;
  parameters['/api/case-searches/:id'] = rows[0].id;
  parameters['/api/documents/:id'] = document.id;
  parameters['/api/payments/:id'] = started.json().data.payment_id;
});

/** Each request gets a new session, because some end theirs. */
async function addStaff(role: StaffRole) {
  const { id: staffId } = await buildStaff(server, { role });
  credentials[role] = () => startStaffSession(server, staffId);
}

async function addKey(name: Caller, access: 'read' | 'write') {
  const scopes = feedKinds.map((list) => `${list}:${access}` as const);
  const { secret } = await createFeedKey(
    { database: server.database, clock: () => new Date() },
    {
      name,
      scopes: access === 'read' ? [...scopes, 'changes:read'] : scopes,
      expiresAt: null,
      actor: { kind: 'system', id: null, name: 'a test' },
    },
  );
  credentials[name] = () => ({ authorization: `Bearer ${secret}` });
}

/** Lists every route of the server, such as `GET /api/payments/:id`. */
function listRoutes(): string[] {
  const path: string[] = [];
  const routes: string[] = [];
  for (const line of server.app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', part = '', methods = ''] = /^([│├└─\s]*)(\S+) \(([A-Z, ]+)\)$/.exec(line) ?? [];
    if (part === '') {
      // The top of the tree, and nodes without a route.
      expect(line).not.toMatch(/\((GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)/);
      continue;
    }
    path.length = indent.length / 4 - 1;
    path.push(part);
    const url = path.join('').replace('//', '/');
    // Fastify answers HEAD with the handlers of GET.
    const ofRoute = methods.split(', ').filter((method) => method !== 'HEAD');
    routes.push(...ofRoute.map((method) => `${method} ${url}`));
  }
  return routes;
}

async function statusOf(route: string, sent: Record<string, string>): Promise<number> {
  const [method, pattern] = route.split(' ') as ['GET', string];
  const [start, value] = Object.entries(parameters)
    .filter(([prefix]) => pattern.startsWith(prefix))
    .sort(([left], [right]) => right.length - left.length)[0] ?? ['', unknownId];
  const url = (start.includes(':kind') ? pattern.replace(':kind', 'clients') : pattern).replaceAll(
    /:\w+/g,
    value,
  );
  const body = bodies[route];
  // A server that is short of time or of connections answers 503, and its callers try again.
  for (let attempts = 1; ; attempts += 1) {
    const { statusCode } = await server.app.inject({
      method,
      url,
      headers: { host: 'desk.example.test', origin, ...sent },
      ...(body ? { payload: body } : {}),
    });
    if (statusCode !== 503 || attempts === 10) return statusCode;
    await pause(500);
  }
}

test('the access matrix has every route of every API', () => {
  expect(Object.keys(accessMatrix).sort()).toEqual(listRoutes().sort());
});

test('no token gives access to a route of another API, even when sent as that API’s token', async () => {
  const tokens = {
    client: await tokenOf('client'),
    staff: await tokenOf('admin'),
    feed: await tokenOf('write feed key'),
  };
  const opened: string[] = [];
  for (const [route, statuses] of Object.entries(accessMatrix)) {
    const api = apiOf(statuses);
    if (api === null) continue;
    for (const [other, token] of Object.entries(tokens)) {
      const sent = {
        authorization: `Bearer ${token}`,
        cookie: `keyturn-staff=${token}`,
        'x-csrf-token': staffCsrfTokenOf(token),
      };
      const { authorization, ...asStaff } = sent;
      const status =
        other === api ? 401 : await statusOf(route, api === 'staff' ? asStaff : { authorization });
      if (status !== 401) opened.push(`${route} answers ${status} to a token of ${other}`);
    }
  }
  expect(opened).toEqual([]);
});

async function tokenOf(caller: Caller): Promise<string> {
  const { authorization, cookie } = await credentials[caller]();
  return authorization?.replace('Bearer ', '') ?? cookie?.replace('keyturn-staff=', '') ?? '';
}

/** @returns the API to which a route belongs, judging by the callers that it accepts; null if it is open */
function apiOf(statuses: readonly number[]): 'client' | 'staff' | 'feed' | null {
  const admits = (caller: Caller) => statuses[callers.indexOf(caller)] !== 401;
  if (admits('anyone') || callers.every((caller) => !admits(caller))) return null;
  return admits('client') ? 'client' : admits('admin') ? 'staff' : 'feed';
}

test('no caller of another API can publish live updates', async () => {
  for (const caller of callers) {
    const { status } = await fetch(`${server.url}/apps/keyturn/events`, {
      method: 'POST',
      headers: await credentials[caller](),
      body: '{}',
    });
    expect(status, caller).toBe(401);
  }
});

test('each route answers each caller as the access matrix says', async () => {
  const answered: typeof accessMatrix = {};
  for (const route of Object.keys(accessMatrix)) {
    const statuses: number[] = [];
    for (const caller of callers) statuses.push(await statusOf(route, await credentials[caller]()));
    answered[route] = statuses;
  }
  expect(answered).toEqual(accessMatrix);
});

test('every client route accepts the token of a sign-in, but only with its cookie from our own pages', async () => {
  const routes = Object.entries(accessMatrix).filter(([, statuses]) => apiOf(statuses) === 'client');
  expect(new Set(routes.map(([route]) => route.split(' ')[0]))).toEqual(
    new Set(['GET', 'POST', 'PUT', 'DELETE']),
  );
  const { authorization: ofAnother } = await signInWithHalves(server, ownerId);
  const unexpected: string[] = [];
  for (const [route] of routes) {
    const { authorization, cookie } = await signInWithHalves(server, ownerId);
    const [name = '', secret = ''] = cookie.split('=');
    const rejected: Record<string, Record<string, string>> = {
      'no cookie': { authorization },
      'no token': { cookie },
      'the cookie as a token': { cookie, authorization: `Bearer ${secret}` },
      'another token': { cookie, authorization: ofAnother },
      'another cookie': { authorization, cookie: `${name}=kt_cookie_${'x'.repeat(43)}` },
      'another site': { cookie, authorization, 'sec-fetch-site': 'cross-site' },
      'a sibling site': { cookie, authorization, 'sec-fetch-site': 'same-site' },
      'another origin': { cookie, authorization, origin: 'https://evil.example' },
      'another scheme': { cookie, authorization: 'Basic YTpi' },
    };
    for (const [sent, headers] of Object.entries(rejected)) {
      const status = await statusOf(route, headers);
      if (status !== 401) unexpected.push(`${route} answers ${status} with ${sent}`);
    }
    if ((await statusOf(route, { cookie, authorization })) === 401)
      unexpected.push(`${route} rejects the token with its cookie`);
  }
  expect(unexpected).toEqual([]);
});
