import { createHash } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { withTestDatabase } from '@keyturn/testkit';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  buildStaff,
  codeOf,
  deskOrigin,
  openSession,
  staffPassword as password,
  type StaffBrowser,
  secretBytesOf,
  serveStaff,
} from '../../testing/serve-staff.ts';
import { createSoftwareAuthenticator } from '../../testing/software-authenticator.ts';
import { untilBlocked } from '../../testing/until-blocked.ts';

const stored = withTestDatabase();
let desk: Awaited<ReturnType<typeof serveStaff>>;
let demonstration: Awaited<ReturnType<typeof serveStaff>>;
beforeAll(async () => {
  desk = await serveStaff(stored);
  demonstration = await serveStaff(stored, { requiresSecondFactor: false });
});
afterAll(async () => {
  await desk.app.close();
  await demonstration.app.close();
});
beforeEach(async () => {
  for (const { clock } of [desk, demonstration]) clock.set('2026-11-23T09:00:00Z');
  await rows('delete from login_failures');
});

const rows = async (sql: string, values: unknown[] = []) => (await stored.pool.query(sql, values)).rows;
const minutes = (count: number) => desk.clock.advance(count * 60_000);
const noticesTo = async (id: string) =>
  (
    await rows(
      `select payload -> 'notice' ->> 'kind' as kind from graphile_worker._private_jobs
       where payload ->> 'staffId' = $1 order by id`,
      [id],
    )
  ).map(({ kind }) => kind);
const actionsOn = async (id: string) =>
  (
    await rows(
      `select action from audit_entries join audit_links on entry_id = id where subject_id = $1 order by position`,
      [id],
    )
  ).map(({ action }) => action);

async function signIn(member: Awaited<ReturnType<typeof buildStaff>>, browser = desk.openBrowser()) {
  const code = member.codeAt(desk.clock());
  const answer = await browser.call('POST', '/login', { email: member.email, password, code });
  expect(answer.status).toBe(200);
  return browser;
}
const isSignedIn = async (browser: StaffBrowser) => (await browser.call('GET', '/session')).status === 200;

describe('signing in as staff', () => {
  test('signing in starts a session in a cookie that scripts cannot read, and only its hash is stored', async () => {
    const member = await buildStaff(stored, { role: 'finance' });
    const browser = desk.openBrowser();
    const code = member.codeAt(desk.clock());
    const { data, setCookie } = await browser.call('POST', '/login', { email: member.email, password, code });
    expect(data).toMatchObject({
      member: { id: member.id, name: 'Rhian Morgan', role: 'finance', state: 'active' },
      expires_at: '2026-11-23T17:00:00.000Z',
      must_add_factor: false,
    });
    const [cookie = ''] = setCookie.filter((text) => text.startsWith('__Host-keyturn-staff='));
    expect(cookie).toMatch(/; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict; Secure$/);
    const token = browser.cookies.get('__Host-keyturn-staff') ?? '';
    const [session] = await rows(
      'select token_hash, s::text as row from staff_sessions s where staff_id = $1',
      [member.id],
    );
    expect(session.token_hash).toEqual(createHash('sha256').update(token).digest());
    expect(session.row).not.toContain(token);
    expect(await actionsOn(member.id)).toEqual(['staff.signed_in']);
  });

  test('signing in needs the password and a code of the last, this or the next 30 seconds', async () => {
    const member = await buildStaff(stored);
    const attempt = async (body: object) => {
      await rows('delete from login_failures');
      return (await desk.openBrowser().call('POST', '/login', { email: member.email, ...body })).status;
    };
    const at = (seconds: number) => member.codeAt(new Date(desk.clock().getTime() + seconds * 1_000));
    expect(await attempt({ password })).toBe(401);
    expect(await attempt({ password: 'wrong', code: at(0) })).toBe(401);
    expect(await attempt({ password, code: at(-60) })).toBe(401);
    expect(await attempt({ password, code: at(60) })).toBe(401);
    expect(await attempt({ password, code: at(-30) })).toBe(200);
    expect(await attempt({ password, code: at(30) })).toBe(200);
  });

  test('fault 47: signing in accepts codes of the server’s time while the database’s is ten minutes ahead', async () => {
    const codeClock = () => new Date('2026-11-23T08:50:00Z');
    const behind = await serveStaff(stored, { codeClock });
    const { email, codeAt } = await buildStaff(stored);
    const body = { email, password, code: codeAt(codeClock()) };
    expect((await behind.openBrowser().call('POST', '/login', body)).status).toBe(200);
    await behind.app.close();
  });

  test('signing in accepts each code once, even for two concurrent sign-ins', async () => {
    const member = await buildStaff(stored);
    const code = member.codeAt(desk.clock());
    const once = () => desk.openBrowser().call('POST', '/login', { email: member.email, password, code });
    const statuses = (await Promise.all([once(), once()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 401]);
    expect((await once()).status).toBe(401);
  });

  test('signing in as staff gives the same answer for an unknown email, a wrong password and a wrong code, and limits all of them', async () => {
    const member = await buildStaff(stored);
    const attempts = [
      { email: 'unknown@firm.test', password },
      { email: member.email, password: 'wrong', code: member.codeAt(desk.clock()) },
      { email: member.email, password, code: '000000' },
    ];
    for (const body of attempts) {
      expect(await desk.openBrowser().call('POST', '/login', body)).toMatchObject({
        status: 401,
        code: 'invalid_credentials',
      });
    }
    for (let count = 0; count < 3; count += 1) {
      await desk.openBrowser().call('POST', '/login', { email: member.email, password, code: '000000' });
    }
    const correct = { email: member.email, password, code: member.codeAt(desk.clock()) };
    expect((await desk.openBrowser().call('POST', '/login', correct)).status).toBe(429);
  });

  test('emails the member about a new device, and not about a known one', async () => {
    const member = await buildStaff(stored);
    const browser = await signIn(member);
    minutes(1);
    await signIn(member, browser);
    expect(await noticesTo(member.id)).toEqual(['new_device']);
  });

  test('rejects a member without a second factor where it is required, and admits them elsewhere', async () => {
    const member = await buildStaff(stored, { withFactor: false });
    const body = { email: member.email, password };
    expect(await desk.openBrowser().call('POST', '/login', body)).toMatchObject({
      status: 403,
      code: 'factor_required',
    });
    const browser = demonstration.openBrowser();
    expect((await browser.call('POST', '/login', body)).data).toMatchObject({ must_add_factor: false });
  });
});

describe('a staff session', () => {
  test('a staff session ends after 30 minutes without activity, and always after 8 hours', async () => {
    const browser = await signIn(await buildStaff(stored));
    for (let half = 0; half < 16; half += 1) {
      expect(await isSignedIn(browser)).toBe(true);
      minutes(29.9);
    }
    minutes(2);
    expect(await isSignedIn(browser)).toBe(false);
    const idle = await signIn(await buildStaff(stored));
    minutes(30);
    expect(await isSignedIn(idle)).toBe(false);
  });

  test('a staff session makes no change without the CSRF token, or from another origin', async () => {
    const browser = await signIn(await buildStaff(stored));
    const other = await signIn(await buildStaff(stored));
    const rename = (headers: Record<string, string>) => browser.call('POST', '/logout', undefined, headers);
    for (const headers of [
      { 'x-csrf-token': '' },
      { 'x-csrf-token': other.csrfToken },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ]) {
      expect(await rename(headers)).toMatchObject({ status: 403, code: 'not_from_desk' });
    }
    const login = await desk.openBrowser().call('POST', '/login', {}, { origin: 'https://evil.example' });
    expect(login.code).toBe('not_from_desk');
    expect(await isSignedIn(browser)).toBe(true);
    expect((await rename({})).status).toBe(204);
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('a staff session can be listed and ended only by its member, separately or with all others', async () => {
    const member = await buildStaff(stored);
    const first = await signIn(member);
    minutes(1);
    const second = await signIn(member);
    const stranger = await signIn(await buildStaff(stored));
    const { data } = await second.call('GET', '/sessions');
    expect(data).toMatchObject([
      { is_current: true, address: '203.0.113.7', user_agent: 'A browser' },
      { is_current: false },
    ]);
    expect((await stranger.call('DELETE', `/sessions/${data[1].id}`)).status).toBe(404);
    expect((await second.call('DELETE', `/sessions/${data[1].id}`)).status).toBe(204);
    expect(await isSignedIn(first)).toBe(false);
    expect((await second.call('DELETE', '/sessions')).status).toBe(204);
    expect(await isSignedIn(second)).toBe(false);
    expect(await isSignedIn(stranger)).toBe(true);
  });

  test('a staff session needs a fresh second factor after five minutes for sensitive changes', async () => {
    const member = await buildStaff(stored, { role: 'admin' });
    const browser = await signIn(member);
    const invite = (email: string) => browser.call('POST', '/members', { email, role: 'handler' });
    expect((await invite('a.fresh@firm.test')).status).toBe(200);
    minutes(5);
    expect(await invite('b.stale@firm.test')).toMatchObject({ status: 403, code: 'identity_not_confirmed' });
    expect(await browser.call('POST', '/session/confirm', { password })).toMatchObject({
      status: 422,
      code: 'code_rejected',
    });
    const code = member.codeAt(desk.clock());
    expect((await browser.call('POST', '/session/confirm', { code })).data).toMatchObject({
      confirmed_until: '2026-11-23T09:10:00.000Z',
    });
    expect((await invite('b.stale@firm.test')).status).toBe(200);
    expect((await browser.call('POST', '/session/confirm', { code })).code).toBe('code_rejected');
  });

  test('a staff session cannot guess codes', async () => {
    const browser = await signIn(await buildStaff(stored));
    const guess = () => browser.call('POST', '/session/confirm', { code: '000000' });
    for (let count = 0; count < 5; count += 1) expect((await guess()).status).toBe(422);
    expect((await guess()).status).toBe(429);
  });

  test('a staff session ends when an admin changes the role, disables the member or resets their sign-in', async () => {
    const admin = await signIn(await buildStaff(stored, { role: 'admin' }));
    for (const [method, path, body] of [
      ['PUT', 'role', { role: 'finance' }],
      ['POST', 'disable'],
      ['POST', 'reset-factors'],
      ['DELETE', 'sessions'],
    ] as const) {
      const member = await buildStaff(stored);
      const browser = await signIn(member);
      const { status } = await admin.call(method, `/members/${member.id}/${path}`, body);
      expect(status).toBeLessThan(300);
      expect(await isSignedIn(browser), path).toBe(false);
    }
  });

  test('a staff session may do only what its role includes', async () => {
    const handler = await signIn(await buildStaff(stored, { role: 'handler' }));
    expect(await handler.call('GET', '/members')).toMatchObject({ status: 403, code: 'role_not_permitted' });
  });
});

describe('an invitation', () => {
  async function invite(email: string) {
    const admin = await signIn(await buildStaff(stored, { role: 'admin' }));
    const { data } = await admin.call('POST', '/members', { email, role: 'handler' });
    const token = createHash('sha256').update(email).digest('base64url');
    await rows(
      `insert into staff_invitations (token_hash, staff_id, created_at, expires_at)
       values (sha256($1), $2, $3, $3::timestamptz + interval '72 hours')`,
      [Buffer.from(token), data.id, desk.clock()],
    );
    return { admin, token, id: data.id as string };
  }
  const accept = (browser: StaffBrowser, token: string, chosen = password) =>
    browser.call('POST', '/invitation/accept', { token, name: 'Joel Adeyemi', password: chosen });

  test('an invitation is accepted once, and the session can only add a second factor', async () => {
    const { token, id } = await invite('joel@firm.test');
    const browser = desk.openBrowser();
    expect((await browser.call('POST', '/invitation/check', { token })).data).toEqual({
      is_open: true,
      email: 'joel@firm.test',
      name: null,
    });
    expect((await accept(browser, token, 'password1234')).status).toBe(422);
    const own = await accept(browser, token, 'joel@firm.test');
    expect(own.body.errors.password[0]).toContain('your name, your email address');
    expect((await accept(browser, token, 'joel adeyemi 1')).status).toBe(422);
    expect((await accept(browser, token)).data).toMatchObject({
      must_add_factor: true,
      member: { name: 'Joel Adeyemi', role: 'handler' },
    });
    expect((await accept(desk.openBrowser(), token)).code).toBe('link_expired');
    expect((await browser.call('GET', '/sessions')).code).toBe('factor_required');
    const { data: started } = await browser.call('POST', '/authenticators');
    expect(started.uri).toContain('otpauth://totp/Keyturn:joel%40firm.test');
    const path = `/authenticators/${started.id}/activate`;
    expect((await browser.call('POST', path, { code: '000000', name: 'Phone' })).code).toBe('code_rejected');
    const code = codeOf(secretBytesOf(started.secret), desk.clock());
    const { data: added } = await browser.call('POST', path, { code, name: 'Phone' });
    expect(added).toMatchObject({ factor: { kind: 'authenticator', name: 'Phone' } });
    expect(added.recovery_codes).toHaveLength(10);
    expect((await browser.call('GET', '/sessions')).status).toBe(200);
    const [{ secret }] = await rows('select secret from staff_factors where staff_id = $1', [id]);
    expect(Buffer.from(secret).includes(Buffer.from(secretBytesOf(started.secret)))).toBe(false);
    expect(await actionsOn(id)).toEqual([
      'staff.invited',
      'staff.invitation_accepted',
      'staff.signed_in',
      'staff.factor_added',
    ]);
  });

  test('accepting an invitation removes second factors that the account still has', async () => {
    const { token, id } = await invite('leftover@firm.test');
    await rows(
      `insert into staff_factors (id, staff_id, kind, name, created_at, active_at, credential_id, public_key, counter)
       values (gen_random_uuid(), $1, 'passkey', 'Key', now(), now(), 'of a thief', 'x', 0)`,
      [id],
    );
    await rows(
      `insert into staff_recovery_codes (code_hash, staff_id, created_at) values (sha256('code'), $1, now())`,
      [id],
    );
    expect((await accept(desk.openBrowser(), token)).data).toMatchObject({ must_add_factor: true });
    expect(await rows('select from staff_factors where staff_id = $1', [id])).toEqual([]);
    expect(await rows('select from staff_recovery_codes where staff_id = $1', [id])).toEqual([]);
  });

  test('an invitation expires after 72 hours, and ends when the member is disabled', async () => {
    const late = await invite('late@firm.test');
    minutes(72 * 60);
    expect((await accept(desk.openBrowser(), late.token)).code).toBe('link_expired');
    const withdrawn = await invite('withdrawn@firm.test');
    await withdrawn.admin.call('POST', `/members/${withdrawn.id}/disable`);
    expect((await accept(desk.openBrowser(), withdrawn.token)).code).toBe('link_expired');
  });
});

describe('a reset by an admin', () => {
  const addPasskey = async (browser: StaffBrowser) => {
    const { data } = await browser.call('POST', '/passkeys/options');
    const credential = createSoftwareAuthenticator(deskOrigin).register(data.options);
    return () => browser.call('POST', '/passkeys', { credential, name: 'Key' });
  };
  const changePassword = async (browser: StaffBrowser) => () =>
    browser.call('PUT', '/password', { password: 'four copper kettles' });

  test.each([
    ['a passkey', addPasskey],
    ['a password', changePassword],
  ])('a reset by an admin rejects %s that a session of the member sent before', async (_what, prepare) => {
    const member = await buildStaff(stored);
    const admin = await signIn(await buildStaff(stored, { role: 'admin' }));
    const call = await prepare(await signIn(member));
    // PostgreSQL grants a row lock in the order in which it was requested: the reset comes first.
    const { reset, sent } = await stored.database.transaction(async (transaction) => {
      await transaction.execute(sql`select from staff where id = ${member.id} for update`);
      const reset = admin.call('POST', `/members/${member.id}/reset-factors`);
      await untilBlocked(stored, 1);
      const sent = call();
      await untilBlocked(stored, 2);
      return { reset, sent };
    });
    expect((await reset).status).toBe(200);
    expect(await sent).toMatchObject({ status: 401, code: 'unauthenticated' });
    const left = await rows(
      `select state, password_hash, (select count(*)::int from staff_factors where staff_id = staff.id) as factors
       from staff where id = $1`,
      [member.id],
    );
    expect(left).toEqual([{ state: 'invited', password_hash: null, factors: 0 }]);
  });
});

/** Adds a second authenticator to the account that a browser is signed in to. @returns its id */
async function addAuthenticator(browser: Awaited<ReturnType<typeof signIn>>): Promise<string> {
  const { data: started } = await browser.call('POST', '/authenticators');
  const code = codeOf(secretBytesOf(started.secret), desk.clock());
  await browser.call('POST', `/authenticators/${started.id}/activate`, { code, name: 'Tablet' });
  return started.id;
}

describe('second factors', () => {
  test('recovery codes work once instead of a code, and only their hashes are stored', async () => {
    const member = await buildStaff(stored);
    const browser = await signIn(member);
    const { data } = await browser.call('POST', '/recovery-codes');
    const [code = '', other = ''] = data.recovery_codes as string[];
    expect(code).toMatch(/^([0-9a-z]{4}-){3}[0-9a-z]{4}$/);
    const dump = JSON.stringify(await rows('select c::text from staff_recovery_codes c'));
    expect(dump).not.toContain(code);
    const use = (text: string) =>
      desk.openBrowser().call('POST', '/login', { email: member.email, password, code: text });
    expect((await use(code.toUpperCase().replaceAll('-', ' '))).status).toBe(200);
    expect((await use(code)).status).toBe(401);
    expect((await browser.call('GET', '/factors')).data).toMatchObject({ recovery_codes_left: 9 });
    await browser.call('POST', '/recovery-codes');
    expect((await use(other)).status).toBe(401);
    expect(await noticesTo(member.id)).toContain('recovery_code_used');
  });

  test('the last second factor cannot be removed where it is required, even by concurrent requests', async () => {
    const member = await buildStaff(stored);
    const browser = await signIn(member);
    await addAuthenticator(browser);
    const { data } = await browser.call('GET', '/factors');
    const ids = data.factors.map(({ id }: { id: string }) => id);
    const removals = await Promise.all(ids.map((id: string) => browser.call('DELETE', `/factors/${id}`)));
    expect(removals.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect((await browser.call('GET', '/factors')).data.factors).toHaveLength(1);
    expect(await noticesTo(member.id)).toEqual(['new_device', 'factor_added', 'factor_removed']);
  });

  test('removing a second factor ends the other sessions of its member', async () => {
    const member = await buildStaff(stored);
    const other = await signIn(member);
    minutes(1);
    const browser = await signIn(member);
    const id = await addAuthenticator(browser);
    expect(await isSignedIn(other)).toBe(true);
    expect((await browser.call('DELETE', `/factors/${id}`)).status).toBe(204);
    expect(await isSignedIn(browser)).toBe(true);
    expect(await isSignedIn(other)).toBe(false);
  });

  test('second factors can be renamed only by their member', async () => {
    const browser = await signIn(await buildStaff(stored));
    const stranger = await signIn(await buildStaff(stored));
    const [{ id }] = (await browser.call('GET', '/factors')).data.factors;
    expect((await stranger.call('PUT', `/factors/${id}`, { name: 'Mine' })).status).toBe(404);
    expect((await stranger.call('DELETE', `/factors/${id}`)).status).toBe(404);
    expect((await browser.call('PUT', `/factors/${id}`, { name: 'Work phone' })).data.name).toBe(
      'Work phone',
    );
  });

  test('a new password ends the other sessions of its member', async () => {
    const member = await buildStaff(stored);
    const other = await signIn(member);
    minutes(1);
    const browser = await signIn(member);
    expect((await browser.call('PUT', '/password', { password: 'short' })).status).toBe(422);
    expect((await browser.call('PUT', '/password', { password: 'four copper kettles' })).status).toBe(204);
    expect(await isSignedIn(browser)).toBe(true);
    expect(await isSignedIn(other)).toBe(false);
  });
});

test('a request whose session is ended before all of it has arrived changes nothing', async () => {
  const { id, call } = await openSession(stored, desk, { role: 'admin' });
  minutes(2);
  const body = new PassThrough();
  const invite = call('POST', '/members', body);
  body.write('{"email":"arrived-late@firm.test",');
  // The session was checked before the body is read.
  await expect
    .poll(() =>
      rows('select from staff_sessions where staff_id = $1 and last_used_at = $2', [id, desk.clock()]),
    )
    .toHaveLength(1);
  await rows('update staff_sessions set ended_at = now() where staff_id = $1', [id]);
  body.end('"role":"handler"}');
  expect((await invite).code).toBe('unauthenticated');
  expect(await rows("select from staff where email = 'arrived-late@firm.test'")).toEqual([]);
});

describe('the limits of staff invitations', () => {
  const timesResent = async (id: string) =>
    (
      await rows('select from audit_entries where subject_id = $1 and action = $2', [
        id,
        'staff.invitation_resent',
      ])
    ).length;

  test('one person is invited three times a minute, however an admin does it, and once an hour after five', async () => {
    const admin = await openSession(stored, desk, { role: 'admin' });
    const email = 'often.invited@example.test';
    const { data } = await admin.call('POST', '/members', { email, role: 'handler' });
    const again = () => admin.call('POST', `/members/${data.id}/invitation`);
    expect((await again()).status).toBe(204);
    expect((await admin.call('POST', `/members/${data.id}/reset-factors`)).status).toBe(200);
    for (const call of [
      again(),
      admin.call('POST', '/members', { email: ' Often.Invited@example.test', role: 'finance' }),
      admin.call('POST', `/members/${data.id}/enable`),
      admin.call('POST', `/members/${data.id}/reset-factors`),
    ])
      expect(await call).toMatchObject({ status: 429, code: 'too_many_requests' });
    expect(await timesResent(data.id)).toBe(1);
    minutes(2);
    expect([(await again()).status, (await again()).status, (await again()).status]).toEqual([204, 204, 429]);
    minutes(30);
    const other = await openSession(stored, desk, { role: 'admin' });
    expect((await other.call('POST', `/members/${data.id}/invitation`)).status).toBe(429);
  });

  test('resetting a member who has accepted is never refused, and refused invitations do not count', async () => {
    const admin = await openSession(stored, desk, { role: 'admin' });
    const { id } = await buildStaff(stored, { role: 'handler' });
    const [{ email }] = await rows('select email from staff where id = $1', [id]);
    for (let count = 0; count < 10; count += 1)
      expect(await admin.call('POST', '/members', { email, role: 'handler' })).toMatchObject({
        code: 'staff_exists',
      });
    expect((await admin.call('POST', `/members/${id}/reset-factors`)).status).toBe(200);
    for (let count = 0; count < 3; count += 1)
      expect((await admin.call('POST', `/members/${id}/invitation`)).status).toBe(204);
    expect((await admin.call('POST', `/members/${id}/invitation`)).status).toBe(429);
  });

  test('an admin invites twenty people a minute', async () => {
    const admin = await openSession(stored, desk, { role: 'admin' });
    const invite = (name: string) =>
      admin.call('POST', '/members', { email: `${name}@example.test`, role: 'handler' });
    for (let count = 0; count < 20; count += 1)
      expect((await invite(`one-of-many-${count}`)).status).toBe(200);
    expect(await invite('one-too-many')).toMatchObject({ status: 429, code: 'too_many_requests' });
    minutes(2);
    expect((await invite('one-too-many')).status).toBe(200);
  });
});
