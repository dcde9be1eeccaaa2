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

const ownPage = { 'sec-fetch-site': 'same-origin' };

const logIn = (headers: Headers, credentials: object = { email: emails[0], password }) =>
  send('POST', '/login', headers, credentials);

/** Signs in on our own page, in a browser that already has these cookies. */
async function signIn(email: string = emails[0], cookies: Headers = {}) {
  const answer = await logIn({ ...ownPage, ...headersWith(cookies) }, { email, password });
  expect(answer.statusCode).toBe(200);
  const set = [answer.headers['set-cookie'] ?? []].flat();
  const session = set.find((cookie) => /^__Host-keyturn-session-[\w-]{8}=kt_/.test(cookie)) ?? '';
  const [, name = '', secret = ''] = /^([^=]+)=([^;]+)/.exec(session) ?? [];
  const token: string = answer.json().data.access_token;
  return { answer, set, session, name, secret, token };
}

type SignedIn = Pick<Awaited<ReturnType<typeof signIn>>, 'name' | 'secret' | 'token'>;

const headersWith = (cookies: Headers): Headers => ({
  cookie: Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; '),
});

const cookieOf = ({ name, secret }: SignedIn) => ({ [name]: secret });

const bearer = ({ token }: SignedIn) => ({ authorization: `Bearer ${token}` });

const bothHalves = (signedIn: SignedIn) => ({ ...bearer(signedIn), ...headersWith(cookieOf(signedIn)) });

const readStatus = async (headers: Headers) => (await send('GET', '/client', headers)).statusCode;

describe('a sign-in on our own page', () => {
  test('a sign-in on our own page answers with a token, and puts its other half where scripts cannot read it', async () => {
    const { answer, session, secret, token } = await signIn();
    expect(answer.json()).toEqual({
      data: {
        access_token: expect.stringMatching(/^kt_half_[\w-]{38}$/),
        token_type: 'Bearer',
        expires_in: 43_200,
      },
    });
    expect(secret).toMatch(/^kt_cookie_[\w-]{43}$/);
    expect(answer.body).not.toContain(secret.slice(10));
    expect(secret).not.toContain(token.slice(8, 16));
    expect(session.split('; ').slice(1)).toEqual([
      'Path=/',
      'Max-Age=43200',
      'HttpOnly',
      'SameSite=Strict',
      'Secure',
    ]);
  });

  test('theft: a token that was read from a page is not accepted without its cookie', async () => {
    const signedIn = await signIn();
    expect(await readStatus(bothHalves(signedIn))).toBe(200);
    expect(await readStatus(bearer(signedIn))).toBe(401);
    const other = await signIn();
    expect(await readStatus({ ...bearer(signedIn), ...headersWith(cookieOf(other)) })).toBe(401);
    const renamed = { [signedIn.name]: other.secret };
    expect(await readStatus({ ...bearer(signedIn), ...headersWith(renamed) })).toBe(401);
  });

  test('theft: the cookie of a sign-in is not accepted without its token, nor as a token', async () => {
    const signedIn = await signIn();
    const { cookie = '' } = headersWith(cookieOf(signedIn));
    expect(await readStatus({ cookie })).toBe(401);
    expect(await readStatus({ cookie, authorization: 'Basic YTpi' })).toBe(401);
    expect(await readStatus({ cookie, authorization: `Bearer ${signedIn.secret}` })).toBe(401);
  });

  test.each<[string, Headers]>([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling site', { 'sec-fetch-site': 'same-site' }],
    ['another origin', { origin: 'https://evil.test' }],
    ['a null origin', { origin: 'null' }],
  ])('forgery: a request from %s is rejected, even with token and cookie', async (_site, page) => {
    const signedIn = await signIn();
    expect(await readStatus({ ...bothHalves(signedIn), ...page })).toBe(401);
    expect(await readStatus({ ...bothHalves(signedIn), ...ownPage })).toBe(200);
  });

  test('fixation: a sign-in continues none that the browser brought, and a planted cookie opens nothing', async () => {
    const planted = await signIn(emails[1]);
    const victim = await signIn(emails[0], cookieOf(planted));
    expect(victim.secret).not.toBe(planted.secret);
    expect(victim.token).not.toBe(planted.token);
    const cookies = { ...cookieOf(planted), ...cookieOf(victim) };
    expect(await readStatus({ ...bearer(victim), ...headersWith(cookies) })).toBe(200);
    const answer = await send('GET', '/client', { ...bearer(victim), ...headersWith(cookies) });
    expect(answer.json().data.email).toBe(emails[0]);
  });

  test('each request is made for the sign-in of its page when two clients use one browser', async () => {
    const first = await signIn(emails[0]);
    const second = await signIn(emails[1], cookieOf(first));
    const cookies = headersWith({ ...cookieOf(first), ...cookieOf(second) });
    for (const [signedIn, email] of [
      [first, emails[0]],
      [second, emails[1]],
    ] as const) {
      const answer = await send('GET', '/client', { ...cookies, ...bearer(signedIn) });
      expect(answer.json().data.email).toBe(email);
    }
  });

  test('a cookie that another site of the domain could have set is no half of a sign-in', async () => {
    const { name, secret, token } = await signIn();
    const planted = headersWith({ [name.replace('__Host-', '')]: secret });
    expect(await readStatus({ ...planted, authorization: `Bearer ${token}` })).toBe(401);
  });

  test('a sign-in with a wrong password sets no cookie', async () => {
    const answer = await logIn(ownPage, { email: emails[0], password: 'wrong' });
    expect(answer.statusCode).toBe(401);
    expect(answer.headers['set-cookie']).toBeUndefined();
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

  test('a ninth sign-in in one browser removes only the oldest cookie when all sign-ins are in use', async () => {
    const { signIns, cookies } = await fillBrowser();
    const ninth = await signIn(emails[0], cookies);
    expect(removedBy(ninth)).toEqual([signIns[0]?.name]);
    for (const signedIn of signIns.slice(1))
      expect(await readStatus({ ...headersWith(cookies), ...bearer(signedIn) })).toBe(200);
  });

  test('a ninth sign-in in one browser removes the cookies of ended sign-ins, and none in use', async () => {
    const { signIns, cookies } = await fillBrowser();
    const ended = [signIns[2], signIns[5], signIns[7]].filter((signedIn) => signedIn !== undefined);
    for (const signedIn of ended)
      expect((await send('POST', '/logout', bothHalves(signedIn))).statusCode).toBe(204);
    const ninth = await signIn(emails[0], cookies);
    expect(removedBy(ninth)).toEqual(ended.map(({ name }) => name));
  });

  test('each sign-in removes a limited number of invalid session cookies, and keeps valid and unrelated ones', async () => {
    const first = await signIn(emails[0]);
    const inUse = { ...cookieOf(first), ...cookieOf(await signIn(emails[1])) };
    const prefix = '__Host-keyturn-session-';
    const wrongName = { [`${prefix}AAAAAAAA`]: first.secret };
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

describe('a sign-in whose token needs no cookie', () => {
  test.each<[string, Headers]>([
    ['a program', {}],
    ['a page of another origin', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }],
    ['a page of a sibling site', { 'sec-fetch-site': 'same-site' }],
    ['a browser that blocks cookies', { ...ownPage, 'x-cookies': 'blocked' }],
    ['a page of 0.2.0', { ...ownPage, 'x-session': 'cookie' }],
  ])('a sign-in of %s sets no cookie, and its token is accepted without one', async (_caller, headers) => {
    const answer = await logIn(headers);
    const token: string = answer.json().data.access_token;
    expect(token).toMatch(/^kt_[\w-]{43}$/);
    expect(String(answer.headers['set-cookie'])).not.toContain('keyturn-session');
    expect(await readStatus({ authorization: `Bearer ${token}` })).toBe(200);
  });

  test('a script cannot get such a token by saying that the browser blocks cookies, if the request has one', async () => {
    const answer = await logIn({ ...ownPage, 'x-cookies': 'blocked', cookie: 'theme=dark' });
    expect(answer.json().data.access_token).toMatch(/^kt_half_/);
    expect(String(answer.headers['set-cookie'])).toContain('keyturn-session');
  });

  test('a sign-in with an unknown value of X-Cookies is rejected', async () => {
    expect((await logIn({ ...ownPage, 'x-cookies': 'kept' })).statusCode).toBe(422);
  });

  test('an older browser, which names only the origin of its page, gets a cookie', async () => {
    const answer = await logIn({ origin: 'https://clients.example.com' });
    expect(String(answer.headers['set-cookie'])).toContain('keyturn-session');
  });
});

describe('a sign-out', () => {
  test('a sign-out ends the session, removes its cookie alone and clears the cache', async () => {
    const first = await signIn(emails[0]);
    const second = await signIn(emails[1]);
    const cookies = headersWith({ ...cookieOf(first), ...cookieOf(second) });
    const answer = await send('POST', '/logout', { ...cookies, ...bearer(first) });
    expect(answer.statusCode).toBe(204);
    expect([answer.headers['set-cookie']].flat()).toEqual([
      `${first.name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure`,
    ]);
    expect(answer.headers['clear-site-data']).toBe('"cache"');
    expect(await readStatus({ ...cookies, ...bearer(first) })).toBe(401);
    expect(await readStatus({ ...cookies, ...bearer(second) })).toBe(200);
  });

  test('a sign-out with a token that needs no cookie removes no cookie', async () => {
    const token = (await logIn({})).json().data.access_token;
    const cookies = headersWith(cookieOf(await signIn()));
    const answer = await send('POST', '/logout', { ...cookies, authorization: `Bearer ${token}` });
    expect(answer.statusCode).toBe(204);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });
});

test('a cookie over HTTP, as on a developer’s machine, has no prefix and is not marked as secure', async () => {
  const set: string[] = [];
  const request = { protocol: 'http', headers: {} } as FastifyRequest;
  const reply = { header: (_name: string, value: string) => set.push(value) } as unknown as FastifyReply;
  const halves = { secret: 'kt_cookie_a', token: 'kt_half_abcdefghi' };
  await storeInCookie(request, reply, {
    ...halves,
    lifetime: 60,
    isLive: async () => true,
    isHttps: false,
    origin: null,
  });
  expect(set).toEqual([
    'keyturn-session-abcdefgh=kt_cookie_a; Path=/; Max-Age=60; HttpOnly; SameSite=Strict',
  ]);
});
