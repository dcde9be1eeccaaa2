import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { type CallKey, calls } from '@keyturn/contract';
import { type StaffCallKey, type StaffRole, staffCalls } from '@keyturn/contract/staff';
import { createTestClock, type TestDatabase } from '@keyturn/testkit';
import type { FastifyInstance } from 'fastify';
import { Secret } from 'otpauth';
import { memberHandlers } from '../doors/staff/member-routes.ts';
import type { AnsweredCalls } from '../http/call-handlers.ts';
import { createServer } from '../http/create-server.ts';
import { staffRoutes } from '../http/staff/staff-calls.ts';
import type { StaffHandlers } from '../http/staff/staff-handlers.ts';
import { createTotp } from '../people/credentials/factors/codes.ts';
import { createKnownDevices } from '../people/credentials/known-devices.ts';
import { createLoginThrottle } from '../people/credentials/login-throttle.ts';
import { createPasswords, hashPassword } from '../people/credentials/passwords.ts';
import { staffFactorRules } from '../people/staff/factors/staff-factor-rules.ts';
import { createStaffSessions, staffCsrfTokenOf } from '../people/staff/sign-in/staff-sessions.ts';
import type { Clock } from '../platform/clock.ts';
import { createSecretBox } from '../platform/credentials/secret-box.ts';
import { staffFactorTables } from '../schema/tables/factor-tables.ts';
import { staff, staffSessions } from '../schema/tables/staff-tables.ts';

export const deskOrigin = 'https://desk.example.test';
export const staffPassword = 'three brass hinges';

const secrets = createSecretBox(['a test'], 'staff');
const productName = 'Keyturn';

/**
 * Serves the staff API with a clock that the test controls.
 * @param options.codeClock of authenticator apps; the same clock by default
 * @param options.handlers of the calls that the test makes, besides those about sign-in and staff members
 */
export async function serveStaff(
  { database }: Pick<TestDatabase, 'database'>,
  {
    requiresSecondFactor = true,
    codeClock,
    handlers,
  }: {
    requiresSecondFactor?: boolean;
    codeClock?: Clock;
    handlers?: (clock: Clock) => Partial<StaffHandlers>;
  } = {},
) {
  const clock = createTestClock('2026-11-23T09:00:00Z');
  const sessions = createStaffSessions({ database, clock, requiresSecondFactor });
  const alerts: string[] = [];
  const dependencies = {
    database,
    clock,
    codeClock: codeClock ?? clock,
    passwords: createPasswords(),
    sessions,
    devices: createKnownDevices({ database, clock, accountKind: 'staff' }),
    throttle: createLoginThrottle({ database, clock }),
    secrets,
    alertOperator: (message: string) => void alerts.push(message),
    requiresSecondFactor,
    productName,
    factorRules: staffFactorRules({ requiresSecondFactor }),
  };
  const unusedByStaff = Object.keys(staffCalls).map((key) => [key as StaffCallKey, async () => undefined]);
  const unused = Object.keys(calls).map((key) => [key as CallKey, async () => undefined]);
  const app = await createServer({
    handlers: Object.fromEntries(unused) as AnsweredCalls,
    authenticate: async () => null,
    logLevel: 'silent',
    trustedProxies: 0,
    version: '1.0.0',
    isReady: async () => true,
    readMaintenance: async () => ({ general: null, case_history: null }),
    apiPlugins: [
      staffRoutes({
        handlers: {
          ...(Object.fromEntries(unusedByStaff) as StaffHandlers),
          ...memberHandlers(dependencies),
          ...handlers?.(clock),
        },
        authenticate: sessions.authenticate,
        csrfTokenOf: staffCsrfTokenOf,
        clock,
        origin: deskOrigin,
        isHttps: true,
      }),
    ],
  });
  const signInAs = async (role: StaffRole) => {
    const { email, codeAt } = await buildStaff({ database }, { role });
    const browser = openBrowser(app);
    await browser.call('POST', '/login', { email, password: staffPassword, code: codeAt(clock()) });
    return browser;
  };
  return { app, clock, alerts, openBrowser: () => openBrowser(app), signInAs };
}

/** A browser on the desk: keeps cookies, and sends the origin and the CSRF token with each change. */
export interface StaffBrowser {
  cookies: Map<string, string>;
  csrfToken: string;
  call(
    method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<{
    status: number;
    code: string | undefined;
    message: string | undefined;
    /** The body as text, and parsed. */
    text: string;
    body: ReturnType<typeof JSON.parse>;
    headers: Record<string, unknown>;
    data: ReturnType<typeof JSON.parse>;
    setCookie: string[];
  }>;
}

const isFile = (body: object): body is Buffer => Buffer.isBuffer(body);

function openBrowser(app: FastifyInstance): StaffBrowser {
  const browser: StaffBrowser = {
    cookies: new Map(),
    csrfToken: '',
    call: async (method, path, body, headers = {}) => {
      const answer = await app.inject({
        method,
        url: `/api/staff${path}`,
        remoteAddress: '203.0.113.7',
        headers: {
          ...(method === 'GET' ? {} : { origin: deskOrigin, 'x-csrf-token': browser.csrfToken }),
          ...(body ? { 'content-type': isFile(body) ? 'application/octet-stream' : 'application/json' } : {}),
          'user-agent': 'A browser',
          cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          ...headers,
        },
        ...(body ? { payload: isFile(body) || body instanceof Readable ? body : JSON.stringify(body) } : {}),
      });
      const setCookie = [answer.headers['set-cookie'] ?? []].flat();
      for (const cookie of setCookie) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        if (value === '') browser.cookies.delete(name);
        else browser.cookies.set(name, value);
      }
      const isJson = String(answer.headers['content-type']).startsWith('application/json');
      const content = isJson && method !== 'HEAD' ? answer.json() : {};
      if (content.data?.csrf_token) browser.csrfToken = content.data.csrf_token;
      const { statusCode: status, headers: answered, body: text } = answer;
      const { code, message, data } = content;
      return { status, code, message, data, text, body: content, headers: answered, setCookie };
    },
  };
  return browser;
}

/**
 * Builds a member and opens a session for them, which costs no password.
 * @param options.confirmedAgo milliseconds since they proved who they are
 */
export async function openSession(
  stored: Pick<TestDatabase, 'database'>,
  { app, clock }: Pick<Awaited<ReturnType<typeof serveStaff>>, 'app' | 'clock'>,
  { confirmedAgo = 0, ...member }: { role?: StaffRole; name?: string; confirmedAgo?: number } = {},
) {
  const { id, email } = await buildStaff(stored, member);
  const token = `kt_staff_${randomBytes(32).toString('base64url')}`;
  const now = clock();
  await stored.database.insert(staffSessions).values({
    tokenHash: createHash('sha256').update(token).digest(),
    id: randomUUID(),
    ownerId: id,
    createdAt: now,
    lastUsedAt: now,
    confirmedAt: new Date(now.getTime() - confirmedAgo),
    expiresAt: new Date(now.getTime() + 8 * 3_600_000),
    address: '203.0.113.7',
  });
  const browser = openBrowser(app);
  browser.cookies.set('__Host-keyturn-staff', token);
  browser.csrfToken = staffCsrfTokenOf(token);
  return { id, email, call: browser.call };
}

let passwordHash: Promise<string> | undefined;

/** Stores an active member with an authenticator app. */
export async function buildStaff(
  { database }: Pick<TestDatabase, 'database'>,
  {
    role = 'handler',
    name = 'Rhian Morgan',
    withFactor = true,
  }: { role?: StaffRole; name?: string; withFactor?: boolean } = {},
) {
  passwordHash ??= hashPassword(staffPassword);
  const now = new Date('2026-11-01T09:00:00Z');
  const id = randomUUID();
  const email = `${id}@firm.test`;
  await database.insert(staff).values({
    id,
    email,
    name,
    role,
    state: 'active',
    passwordHash: await passwordHash,
    acceptedAt: now,
    createdAt: now,
    updatedAt: now,
  });
  const secret = new Secret({ size: 20 }).bytes;
  if (withFactor) {
    const factorId = randomUUID();
    await database.insert(staffFactorTables.factors).values({
      id: factorId,
      ownerId: id,
      kind: 'authenticator',
      name: 'Phone',
      createdAt: now,
      activeAt: now,
      secret: secrets.seal(secret, factorId),
      lastStep: 0,
    });
  }
  return { id, email, codeAt: (instant: Date) => codeOf(secret, instant) };
}

/** Starts a session of a member. @returns the headers that identify it */
export async function startStaffSession({ database }: Pick<TestDatabase, 'database'>, staffId: string) {
  const token = `kt_staff_${randomBytes(32).toString('base64url')}`;
  const now = new Date();
  await database.insert(staffSessions).values({
    tokenHash: createHash('sha256').update(token).digest(),
    id: randomUUID(),
    ownerId: staffId,
    createdAt: now,
    lastUsedAt: now,
    confirmedAt: now,
    expiresAt: new Date(now.getTime() + 3_600_000),
    address: '203.0.113.7',
  });
  return { cookie: `keyturn-staff=${token}`, 'x-csrf-token': staffCsrfTokenOf(token) };
}

/** Returns the code that an authenticator app with this secret shows at a time. */
export const codeOf = (secret: Uint8Array, instant: Date): string =>
  createTotp(secret, { issuer: '', label: '' }).generate({ timestamp: instant.getTime() });

/** Parses a secret in the form that people type into an authenticator app. */
export const secretBytesOf = (base32: string): Uint8Array => Secret.fromBase32(base32).bytes;
