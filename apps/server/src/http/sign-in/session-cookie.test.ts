import { buildCase, withTestServer } from '@keyturn/testkit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { storeInCookie } from './session-cookie.ts';

const password = 'turn-the-key-2026';
const server = withTestServer({ env: { KEYTURN_PUBLIC_URL: 'https://clients.example.com' } });
const emails = ['amelia@example.test', 'tom@example.test'] as const;

beforeAll(async () => {
  const clients = emails.map((email) => ({ email, password }));
  await buildCase(server.database, { clients });
});

type Headers = Record<string, string>;

const send = (method: 'GET' | 'POST', path: string, headers: Headers = {}, payload?: object) =>
  server.app.inject({ method, url: `/api${path}`, headers, ...(payload ? { payload } : {}) });

/** Signs in like a browser that already has these cookies. */
async function signIn(email: string = emails[0], cookies: Headers = {}) {
  const answer = await send(
    'POST',
    '/login',
    { 'x-session': 'cookie', ...headersWith(cookies) },
    { email, password },
  );
  expect(answer.statusCode).toBe(200);
  const set = [answer.headers['set-cookie'] ?? []].flat();
  const session = set.find((cookie) => /^__Host-keyturn-session-[\w-]{8}=kt_/.test(cookie)) ?? '';
  const [, name = '', token = ''] = /^([^=]+)=([^;]+)/.exec(session) ?? [];
  const { csrf_token } = answer.json().data;
  return { answer, set, session, name, token, csrfToken: csrf_token as string };
}

const headersWith = (cookies: Headers): Headers => ({
  cookie: Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; '),
});

const cookieOf = ({ name, token }: { name: string; token: string }) => ({ [name]: token });

describe('a sign-in with a cookie', () => {
  test('a sign-in with a cookie puts the token where scripts cannot read it, and leaves it out of the answer', async () => {
    const { answer, session, token, csrfToken } = await signIn();
    expect(answer.json()).toEqual({
      data: { csrf_token: expect.stringMatching(/^[\w-]{43}$/), expires_in: 43_200 },
    });
    expect(token).toMatch(/^kt_[\w-]{43}$/);
    expect(answer.body).not.toContain(token.slice(3));
    expect(csrfToken).not.toContain(token.slice(3, 10));
    expect(session.split('; ').slice(1)).toEqual([
      'Path=/',
      'Max-Age=43200',
      'HttpOnly',
      'SameSite=Strict',
      'Secure',
    ]);
  });

  test('a sign-in of an API client sets no cookie and answers with the token', async () => {
    const answer = await send('POST', '/login', {}, { email: emails[0], password });
    expect(answer.json().data).toEqual({
      access_token: expect.stringMatching(/^kt_/),
      token_type: 'Bearer',
      expires_in: 43_200,
    });
    expect(String(answer.headers['set-cookie'])).not.toContain('keyturn-session');
  });

  test('a sign-in with an unknown kind of session is rejected', async () => {
    const answer = await send('POST', '/login', { 'x-session': 'token' }, { email: emails[0], password });
    expect(answer.statusCode).toBe(422);
  });

  test('a sign-in with a wrong password sets no cookie', async () => {
    const answer = await send(
      'POST',
      '/login',
      { 'x-session': 'cookie' },
      { email: emails[0], password: 'wrong' },
    );
    expect(answer.statusCode).toBe(401);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  test('each request is made for the sign-in of its page when two clients use one browser', async () => {
    const first = await signIn(emails[0]);
    const second = await signIn(emails[1], cookieOf(first));
    const { cookie = '' } = headersWith({ ...cookieOf(first), ...cookieOf(second) });
    for (const [{ csrfToken }, email] of [
      [first, emails[0]],
      [second, emails[1]],
    ] as const) {
      const answer = await send('GET', '/client', { cookie, 'x-csrf-token': csrfToken });
      expect(answer.json().data.email).toBe(email);
    }
  });

  test('the cookie of a sign-in is ignored next to a valid bearer token of another client', async () => {
    const { name, token, csrfToken } = await signIn(emails[0]);
    const other = await signIn(emails[1]);
    const answer = await send('GET', '/client', {
      ...headersWith({ [name]: token }),
      'x-csrf-token': csrfToken,
      authorization: `Bearer ${other.token}`,
    });
    expect(answer.json().data.email).toBe(emails[1]);
  });

  test('a cookie that another site of the domain could have set is no sign-in', async () => {
    const { name, token, csrfToken } = await signIn();
    const planted = { [name.replace('__Host-', '')]: token };
    const answer = await send('GET', '/client', { ...headersWith(planted), 'x-csrf-token': csrfToken });
    expect(answer.statusCode).toBe(401);
  });

  /** Names the cookies that an answer removes. */
  const removedBy = ({ set }: { set: string[] }) =>
    set.flatMap((cookie) => /^([^=]+)=; .*Max-Age=0/.exec(cookie)?.[1] ?? []);

  /** Signs in until a browser has as many cookies of sign-ins as it keeps. */
  async function fillBrowser() {
    const signIns: Awaited<ReturnType<typeof signIn>>[] = [];
    let cookies: Headers = { 'keyturn-device': 'a' };
    for (let times = 0; times < 8; times += 1) {
      const signedIn = await signIn(emails[times % 2], cookies);
      expect(removedBy(signedIn)).toEqual([]);
      signIns.push(signedIn);
      cookies = { ...cookies, ...cookieOf(signedIn) };
    }
    return { signIns, cookies };
  }

  const signOut = (signedIn: Awaited<ReturnType<typeof signIn>>) =>
    send('POST', '/logout', { ...headersWith(cookieOf(signedIn)), 'x-csrf-token': signedIn.csrfToken });

  test('a ninth sign-in in one browser removes only the oldest cookie when all sign-ins are in use', async () => {
    const { signIns, cookies } = await fillBrowser();
    const ninth = await signIn(emails[0], cookies);
    expect(removedBy(ninth)).toEqual([signIns[0]?.name]);
    for (const { csrfToken } of signIns.slice(1)) {
      const answer = await send('GET', '/client', { ...headersWith(cookies), 'x-csrf-token': csrfToken });
      expect(answer.statusCode).toBe(200);
    }
  });

  test('a ninth sign-in in one browser removes the cookies of ended sign-ins, and none in use', async () => {
    const { signIns, cookies } = await fillBrowser();
    const ended = [signIns[2], signIns[5], signIns[7]].filter((signedIn) => signedIn !== undefined);
    for (const signedIn of ended) expect((await signOut(signedIn)).statusCode).toBe(204);
    const ninth = await signIn(emails[0], cookies);
    expect(removedBy(ninth)).toEqual(ended.map(({ name }) => name));
  });

  test('each sign-in removes a limited number of invalid session cookies, and keeps valid and unrelated ones', async () => {
    const first = await signIn(emails[0]);
    const inUse = { ...cookieOf(first), ...cookieOf(await signIn(emails[1])) };
    const prefix = '__Host-keyturn-session-';
    const wrongName = { [`${prefix}AAAAAAAA`]: first.token };
    const foreign = {
      'keyturn-session-AAAAAAAA': 'of another prefix',
      [`${prefix}a b`]: 'not a name of ours',
      [`${prefix}`]: 'without a key',
      other: '%00é',
    };
    const garbage = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [
        `${prefix}garbage${index}`,
        index % 2 ? `kt_${index}` : '"é,%',
      ]),
    );
    const all: Headers = { ...foreign, ...wrongName, ...garbage, ...inUse };
    for (let times = 0; times < 4; times += 1) {
      const removed = removedBy(await signIn(emails[0], all));
      expect(removed.length).toBeLessThanOrEqual(16);
      for (const name of removed) {
        expect(Object.keys({ ...wrongName, ...garbage })).toContain(name);
        delete all[name];
      }
    }
    expect(Object.keys(all).filter((name) => /garbage|A{8}$/.test(name) && name.startsWith(prefix))).toEqual(
      [],
    );
    expect(Object.keys(all)).toEqual(expect.arrayContaining(Object.keys({ ...foreign, ...inUse })));
  });
});

describe('a sign-out with a cookie', () => {
  test('a sign-out with a cookie ends the session, removes its cookie alone and clears the cache', async () => {
    const first = await signIn(emails[0]);
    const second = await signIn(emails[1]);
    const { cookie = '' } = headersWith({ ...cookieOf(first), ...cookieOf(second) });
    const answer = await send('POST', '/logout', { cookie, 'x-csrf-token': first.csrfToken });
    expect(answer.statusCode).toBe(204);
    expect([answer.headers['set-cookie']].flat()).toEqual([
      `${first.name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure`,
    ]);
    expect(answer.headers['clear-site-data']).toBe('"cache"');
    const statusOf = async (csrfToken: string) =>
      (await send('GET', '/client', { cookie, 'x-csrf-token': csrfToken })).statusCode;
    expect(await statusOf(first.csrfToken)).toBe(401);
    expect(await statusOf(second.csrfToken)).toBe(200);
  });

  test('a sign-out with a bearer token removes no cookie', async () => {
    const { token, csrfToken } = await signIn();
    const headers = { authorization: `Bearer ${token}`, 'x-csrf-token': csrfToken };
    const answer = await send('POST', '/logout', headers);
    expect(answer.statusCode).toBe(204);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });
});

test('a cookie over HTTP, as on a developer’s machine, has no prefix and is not marked as secure', async () => {
  const set: string[] = [];
  const request = { protocol: 'http', headers: {} } as FastifyRequest;
  const reply = { header: (_name: string, value: string) => set.push(value) } as unknown as FastifyReply;
  const token = { access_token: 'kt_a', token_type: 'Bearer', expires_in: 60 };
  const options = { token, isLive: async () => true, isHttps: false, origin: null };
  const { csrf_token } = await storeInCookie(request, reply, options);
  expect(set).toEqual([
    `keyturn-session-${csrf_token.slice(0, 8)}=kt_a; Path=/; Max-Age=60; HttpOnly; SameSite=Strict`,
  ]);
});
