import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildClient, withTestServer } from '@keyturn/testkit';
import { beforeEach, describe, expect, test } from 'vitest';
import { hashToken } from '../../../platform/credentials/hash-token.ts';
import { codeOf, secretBytesOf } from '../../../testing/serve-staff.ts';
import { createSoftwareAuthenticator } from '../../../testing/software-authenticator.ts';

const origin = 'https://clients.example.test';
const password = 'turn-the-key-2026';
const logged: string[] = [];
const server = withTestServer({
  env: { KEYTURN_PUBLIC_URL: origin, LOG_LEVEL: 'error' },
  logTo: { write: (line) => logged.push(line) },
});
beforeEach(async () => {
  await server.pool.query('delete from login_failures');
});

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

async function send(method: Method, path: string, payload?: object, headers: Record<string, string> = {}) {
  const answer = await server.app.inject({
    method,
    url: `/api${path}`,
    headers: { origin, ...headers },
    remoteAddress: '203.0.113.7',
    ...(payload ? { payload } : {}),
  });
  const { code, message, data, errors } = answer.body ? answer.json() : {};
  const cookies = [answer.headers['set-cookie'] ?? []].flat().map((cookie) => cookie.replace(/;.*/, ''));
  return { status: answer.statusCode, code, message, data, errors, cookie: cookies.join('; ') };
}

/** A client with a password, who has just signed in. */
async function buildSignedIn() {
  const { id, email } = await buildClient(server.database, { password });
  const headers = await server.signInAs(id);
  const call = (method: Method, path: string, payload?: object) => send(method, path, payload, headers);
  return { id, email, headers, call };
}

/** A client with an authenticator app. */
async function buildWithApp() {
  const client = await buildSignedIn();
  const { data } = await client.call('POST', '/account/authenticators');
  const secret = secretBytesOf(data.secret);
  /** @param later seconds from now */
  const codeAt = (later: number) => codeOf(secret, new Date(Date.now() + later * 1_000));
  const path = `/account/authenticators/${data.id}/activate`;
  const added = await client.call('POST', path, { code: codeAt(-30), name: 'Phone' });
  expect(added.data).toMatchObject({ factor: { kind: 'authenticator', name: 'Phone' } });
  return {
    ...client,
    codeAt,
    recoveryCodes: added.data.recovery_codes as string[],
    factor: added.data.factor,
  };
}

async function addPasskey(call: Awaited<ReturnType<typeof buildSignedIn>>['call']) {
  const authenticator = createSoftwareAuthenticator(origin);
  const { data } = await call('POST', '/account/passkeys/options');
  const added = await call('POST', '/account/passkeys', {
    credential: authenticator.register(data.options),
    name: 'Laptop',
  });
  return { authenticator, added, options: data.options };
}

const login = (email: string, code?: string, secret = password) =>
  send('POST', '/login', { email, password: secret, ...(code === undefined ? {} : { code }) });

/** The halves of a sign-in. */
const headersOf = ({ data, cookie }: Awaited<ReturnType<typeof send>>) => ({
  authorization: `Bearer ${data.access_token}`,
  cookie,
});

/** Makes the client’s sessions as old as a sign-in long ago. */
const makeUnconfirmed = (id: string) =>
  server.pool.query(
    `update sessions set confirmed_at = now() - interval '10 minutes', stepped_up_at = null, stepped_up_with = null
     where client_id = $1`,
    [id],
  );
const makeSteppedUp = (id: string, secondsAgo = 0) =>
  server.pool.query(
    `update sessions set stepped_up_at = now() - make_interval(secs => $2), stepped_up_with = 'authenticator'
     where client_id = $1`,
    [id, secondsAgo],
  );
const isSignedIn = async (headers: Record<string, string>) =>
  (await send('GET', '/client', undefined, headers)).status === 200;
const noticesOf = async (id: string) => {
  const { rows } = await server.pool.query(
    `select after, action from audit_entries where subject_id = $1 and action <> 'client.signed_in_from_new_device'
     order by occurred_at`,
    [id],
  );
  return rows.map(({ action }) => action.replace('client.', ''));
};

describe('signing in with a second factor', () => {
  test('a client without a second factor signs in with the password alone', async () => {
    const { email } = await buildSignedIn();
    expect((await login(email)).status).toBe(200);
  });

  test('a client with an authenticator app needs a code, which works once', async () => {
    const { email, codeAt, recoveryCodes } = await buildWithApp();
    expect(recoveryCodes).toHaveLength(10);
    expect(await login(email)).toMatchObject({ status: 401, code: 'second_factor_required' });
    expect(await login(email, '000000')).toMatchObject({ status: 422, code: 'code_rejected' });
    const code = codeAt(0);
    expect((await login(email, code)).status).toBe(200);
    expect(await login(email, code)).toMatchObject({ status: 422, code: 'code_rejected' });
  });

  test('a wrong password with a right code gets the same response as an unknown account, and the code stays valid', async () => {
    const { email, codeAt } = await buildWithApp();
    const stranger = await login('unknown@example.test', codeAt(0), 'wrong');
    const rejected = await login(email, codeAt(0), 'wrong');
    expect(rejected).toMatchObject({ status: 401, code: 'invalid_credentials' });
    expect(rejected).toEqual(stranger);
    expect((await login(email, codeAt(0))).status).toBe(200);
  });

  test('wrong codes are limited like wrong passwords, and a missing code is no way around', async () => {
    const { email, codeAt } = await buildWithApp();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect((await login(email, '000000')).code).toBe('code_rejected');
      if (attempt < 4) expect((await login(email)).code).toBe('second_factor_required');
    }
    expect((await login(email, codeAt(0))).code).toBe('too_many_login_attempts');
  });

  test('a recovery code signs in once, and the client is notified', async () => {
    const { id, email, recoveryCodes } = await buildWithApp();
    const [code = ''] = recoveryCodes;
    expect((await login(email, code.toUpperCase().replaceAll('-', ' '))).status).toBe(200);
    expect((await login(email, code)).code).toBe('code_rejected');
    expect(await noticesOf(id)).toContain('recovery_code_used');
  });

  test('a recovery code that a restore has disabled is rejected with the reason', async () => {
    const { id, email, recoveryCodes } = await buildWithApp();
    await server.pool.query(
      'update client_recovery_codes set used_at = now(), disabled_at = now() where client_id = $1',
      [id],
    );
    expect(await login(email, recoveryCodes[0])).toMatchObject({
      code: 'code_rejected',
      message: expect.stringContaining('because we restored our records from a backup'),
    });
    expect((await login(email, '000000')).message).toContain('This code is wrong');
  });

  test('a password link does not replace the second factor', async () => {
    const { id, email, codeAt } = await buildWithApp();
    const token = randomBytes(32).toString('base64url');
    await server.pool.query(
      `insert into password_links (token_hash, client_id, purpose, created_at, expires_at)
       values ($1, $2, 'forgotten', now(), now() + interval '1 hour')`,
      [hashToken(token), id],
    );
    const chosen = 'ftcWx8-92kQ1';
    const { data } = await send('POST', '/password/check-link', { token });
    expect(data).toEqual({ is_open: true, min_password_length: 12 });
    expect((await send('POST', '/password/reset', { token, password: chosen })).status).toBe(204);
    expect((await login(email, undefined, chosen)).code).toBe('second_factor_required');
    expect((await login(email, codeAt(0), chosen)).status).toBe(200);
  });

  test('a code is wrong after a restore with another key, and a recovery code still signs in', async () => {
    const { id, email, codeAt, recoveryCodes } = await buildWithApp();
    await server.pool.query('update client_factors set secret = $1 where client_id = $2', [
      randomBytes(48),
      id,
    ]);
    expect((await login(email, codeAt(0))).code).toBe('code_rejected');
    expect((await login(email, recoveryCodes[1])).status).toBe(200);
  });
});

describe('passkeys of clients', () => {
  const signInWith = async (
    authenticator: ReturnType<typeof createSoftwareAuthenticator>,
    change: { cookie?: string; origin?: string } = {},
  ) => {
    const { data, cookie } = await send('POST', '/passkey/options');
    const credential = authenticator.authenticate(
      data.options,
      change.origin === undefined ? {} : { origin: change.origin },
    );
    return send('POST', '/passkey/login', { credential }, { cookie: change.cookie ?? cookie });
  };

  test('a passkey signs a client in without email, password or code', async () => {
    const { id, call, email } = await buildSignedIn();
    const { authenticator, added, options } = await addPasskey(call);
    expect(added.data).toMatchObject({ factor: { kind: 'passkey', name: 'Laptop' } });
    expect(options).toMatchObject({
      rp: { id: 'clients.example.test' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    const signedIn = await signInWith(authenticator);
    expect(signedIn.status).toBe(200);
    const me = await send('GET', '/client', undefined, headersOf(signedIn));
    expect(me.data).toMatchObject({ id });
    expect((await login(email)).code).toBe('second_factor_required');
  });

  test('a passkey is rejected without the cookie of the browser that started, and from another origin', async () => {
    const { call } = await buildSignedIn();
    const { authenticator } = await addPasskey(call);
    expect((await signInWith(authenticator, { cookie: '' })).code).toBe('passkey_rejected');
    const elsewhere = 'https://clients.example.test.evil.example';
    expect((await signInWith(authenticator, { origin: elsewhere })).code).toBe('passkey_rejected');
    expect((await signInWith(authenticator)).status).toBe(200);
  });

  test('a passkey of a disabled client does not sign in', async () => {
    const { id, call } = await buildSignedIn();
    const { authenticator } = await addPasskey(call);
    await server.pool.query('update clients set disabled_at = now() where id = $1', [id]);
    expect((await signInWith(authenticator)).code).toBe('passkey_rejected');
  });

  test('a passkey that no client has added is rejected, at most twenty times a minute from one address', async () => {
    const unknown = createSoftwareAuthenticator(origin);
    for (let attempt = 0; attempt < 20; attempt += 1)
      expect((await signInWith(unknown)).code).toBe('passkey_rejected');
    expect((await signInWith(unknown)).code).toBe('too_many_login_attempts');
  });
});

describe('changing how a client signs in', () => {
  const anyCredential = () =>
    createSoftwareAuthenticator(origin).register({
      challenge: 'x',
      rp: { id: 'clients.example.test' },
      user: { id: 'x' },
    });
  const changesOf = (factorId: string): [Method, string, object?][] => [
    ['POST', '/account/authenticators'],
    ['POST', `/account/authenticators/${factorId}/activate`, { code: '123456', name: 'x' }],
    ['POST', '/account/passkeys/options'],
    ['POST', '/account/passkeys', { credential: anyCredential(), name: 'x' }],
    ['POST', '/account/recovery-codes'],
    ['PUT', `/account/factors/${factorId}`, { name: 'Laptop' }],
    ['DELETE', `/account/factors/${factorId}`],
    ['PUT', '/account/password', { current_password: password, password: 'three brass hinges' }],
    ['POST', '/account/email', { email: 'thief@example.test' }],
    ['PUT', '/account/phone', { phone: '07700 900999' }],
  ];

  test('a session stolen right after the sign-in changes nothing in an account with a second factor', async () => {
    const { id, email, call, factor, codeAt } = await buildWithApp();
    const stolen = headersOf(await login(email, codeAt(0)));
    for (const [method, path, body] of changesOf(factor.id))
      expect(await send(method, path, body, stolen), `${method} ${path}`).toMatchObject({
        status: 403,
        code: 'identity_not_confirmed',
      });
    expect((await call('GET', '/account')).data.factors).toMatchObject([
      { id: factor.id, name: factor.name },
    ]);
    expect(await noticesOf(id)).toEqual(['factor_added']);
  });

  test('a confirmation of the identity counts for five minutes', async () => {
    const { id, call, factor } = await buildWithApp();
    const rename = async () => (await call('PUT', `/account/factors/${factor.id}`, { name: 'Work' })).status;
    await makeSteppedUp(id, 5 * 60);
    expect(await rename()).toBe(403);
    await makeSteppedUp(id, 4 * 60);
    expect(await rename()).toBe(200);
  });

  test('the first second factor can be added within ten minutes of the sign-in, and the next one needs a confirmation', async () => {
    const { id, call } = await buildSignedIn();
    await makeUnconfirmed(id);
    expect((await call('POST', '/account/passkeys/options')).code).toBe('identity_not_confirmed');
    const again = await server.signInAs(id);
    const callAgain = (method: Method, path: string, payload?: object) => send(method, path, payload, again);
    expect((await addPasskey(callAgain)).added.status).toBe(200);
    expect((await callAgain('POST', '/account/passkeys/options')).code).toBe('identity_not_confirmed');
  });

  test('a client without a second factor confirms with the password before the email address changes', async () => {
    const { id, call } = await buildSignedIn();
    const change = () => call('POST', '/account/email', { email: `new.${id}@example.test` });
    expect((await change()).code).toBe('identity_not_confirmed');
    expect((await call('POST', '/account/confirm', { password })).status).toBe(204);
    expect((await change()).status).toBe(200);
  });

  test('a client confirms with the password only while they have no second factor', async () => {
    const alone = await buildSignedIn();
    await makeUnconfirmed(alone.id);
    expect((await alone.call('POST', '/account/confirm', { password: 'wrong' })).code).toBe('code_rejected');
    expect((await alone.call('POST', '/account/confirm', { password })).status).toBe(204);
    expect((await alone.call('POST', '/account/passkeys/options')).status).toBe(200);

    const { id, call, codeAt } = await buildWithApp();
    await makeUnconfirmed(id);
    expect((await call('POST', '/account/confirm', { password })).code).toBe('code_rejected');
    expect((await call('POST', '/account/confirm', { code: codeAt(0) })).status).toBe(204);
    expect((await call('POST', '/account/recovery-codes')).data.recovery_codes).toHaveLength(10);
    expect(await noticesOf(id)).toEqual([
      'factor_added',
      'identity_rejected',
      'identity_confirmed',
      'recovery_codes_replaced',
    ]);
  });

  test('a client confirms with their own passkey, but not with another client’s', async () => {
    const [mine, theirs] = [await buildSignedIn(), await buildSignedIn()];
    const own = await addPasskey(mine.call);
    const other = await addPasskey(theirs.call);
    await makeUnconfirmed(mine.id);
    const confirm = async (authenticator: typeof own.authenticator) => {
      const { data } = await mine.call('POST', '/account/confirm/options');
      const credential = authenticator.authenticate(data.options);
      return mine.call('POST', '/account/confirm/passkey', { credential });
    };
    expect((await confirm(other.authenticator)).code).toBe('passkey_rejected');
    expect((await mine.call('POST', '/account/authenticators')).code).toBe('identity_not_confirmed');
    expect((await confirm(own.authenticator)).status).toBe(204);
    expect((await mine.call('POST', '/account/authenticators')).status).toBe(200);
  });

  test('a stolen session cannot guess codes or the password', async () => {
    const { call } = await buildSignedIn();
    const guess = () =>
      call('PUT', '/account/password', { current_password: 'a guess', password: 'three brass hinges' });
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect((await guess()).errors).toHaveProperty('current_password');
    expect((await guess()).code).toBe('too_many_login_attempts');
    expect((await call('POST', '/account/confirm', { password })).code).toBe('too_many_login_attempts');
  });

  test('ten wrong proofs in a session end it, are audited, and are reported to the client and the operator', async () => {
    const { id, email, headers, call } = await buildSignedIn();
    const other = await server.signInAs(id);
    // As if the limits on guessing had let the thief wait for the next guess each time.
    const later = () =>
      server.pool.query("update login_failures set failed_at = failed_at - interval '10 minutes'");
    const guesses = [
      () => call('POST', '/account/confirm', { password: 'a guess' }),
      () => call('PUT', '/account/password', { current_password: 'a guess', password: 'three brass hinges' }),
    ];
    for (let attempt = 0; attempt < 9; attempt += 1) {
      expect((await guesses[attempt % 2]?.())?.status).toBe(422);
      await later();
    }
    expect(await isSignedIn(headers)).toBe(true);
    expect(await call('POST', '/account/confirm', { password: 'a guess' })).toMatchObject({
      status: 401,
      code: 'unauthenticated',
    });
    expect({ own: await isSignedIn(headers), other: await isSignedIn(other) }).toEqual({
      own: false,
      other: true,
    });
    expect(await noticesOf(id)).toEqual(Array(10).fill('identity_rejected'));
    const outbox = join(server.dataDirectory, 'outbox');
    const mails = () =>
      readdirSync(outbox, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.eml'))
        .map((file) => readFileSync(join(outbox, file), 'utf8').replaceAll('=\r\n', ''))
        .filter((mail) => mail.includes(email));
    await expect.poll(() => mails().join(), { timeout: 10_000 }).toContain('Someone who was signed in');
    expect(logged.join()).toContain('a session ended after many wrong passwords or codes');
  });

  test('a new password ends the other sessions and keeps this one', async () => {
    const { id, email, headers, call } = await buildSignedIn();
    const other = await server.signInAs(id);
    const change = { current_password: password, password: 'three brass hinges' };
    const short = await call('PUT', '/account/password', { ...change, password: 'ftcWx8-92kQ1' });
    expect(short.errors).toEqual({ password: ['Please use at least 15 characters.'] });
    expect((await call('PUT', '/account/password', change)).status).toBe(204);
    expect({ own: await isSignedIn(headers), other: await isSignedIn(other) }).toEqual({
      own: true,
      other: false,
    });
    expect((await login(email)).code).toBe('invalid_credentials');
    expect((await login(email, undefined, 'three brass hinges')).status).toBe(200);
    expect(await noticesOf(id)).toEqual(['password_changed']);
  });

  test('removing a factor ends the other sessions, and the recovery codes go with the last one', async () => {
    const { id, email, headers, call, factor } = await buildWithApp();
    const other = await server.signInAs(id);
    await makeSteppedUp(id);
    expect((await call('DELETE', `/account/factors/${factor.id}`)).status).toBe(204);
    expect({ own: await isSignedIn(headers), other: await isSignedIn(other) }).toEqual({
      own: true,
      other: false,
    });
    expect((await call('GET', '/account')).data).toMatchObject({
      email,
      factors: [],
      recovery_codes_left: 0,
      confirms_change_at_current: true,
      min_password_length: 15,
    });
    expect((await login(email)).status).toBe(200);
  });

  test('the last factor stays while the password is too short without it', async () => {
    const { id, call, factor } = await buildWithApp();
    await makeSteppedUp(id);
    const chosen = { current_password: password, password: 'ftcWx8-92kQ1' };
    expect((await call('PUT', '/account/password', chosen)).status).toBe(204);
    const remove = () => call('DELETE', `/account/factors/${factor.id}`);
    expect(await remove()).toMatchObject({ status: 409, code: 'factor_state' });
    const longer = { current_password: chosen.password, password: 'three brass hinges' };
    expect((await call('PUT', '/account/password', longer)).status).toBe(204);
    expect((await remove()).status).toBe(204);
    expect(await noticesOf(id)).toContain('factor_removed');
  });
});
