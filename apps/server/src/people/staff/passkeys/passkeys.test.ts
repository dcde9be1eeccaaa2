import { generateKeyPairSync, sign } from 'node:crypto';
import { withTestDatabase } from '@keyturn/testkit';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  buildStaff,
  deskOrigin,
  staffPassword as password,
  serveStaff,
} from '../../../testing/serve-staff.ts';
import { createSoftwareAuthenticator } from '../../../testing/software-authenticator.ts';
import { untilBlocked } from '../../../testing/until-blocked.ts';

const stored = withTestDatabase();
let desk: Awaited<ReturnType<typeof serveStaff>>;
beforeAll(async () => {
  desk = await serveStaff(stored);
});
afterAll(() => desk.app.close());
beforeEach(async () => {
  await stored.pool.query('delete from login_failures');
});

/** A member with a passkey, and the browser in which they added it. */
async function buildMember(authenticator = createSoftwareAuthenticator(deskOrigin)) {
  const member = await buildStaff(stored, { role: 'admin' });
  const browser = desk.openBrowser();
  const code = member.codeAt(desk.clock());
  await browser.call('POST', '/login', { email: member.email, password, code });
  const { data } = await browser.call('POST', '/passkeys/options');
  const credential = authenticator.register(data.options);
  const added = await browser.call('POST', '/passkeys', { credential, name: 'Laptop' });
  expect(added.data).toMatchObject({ factor: { kind: 'passkey', name: 'Laptop' } });
  return { member, browser, authenticator, options: data.options };
}

async function startSignIn() {
  const browser = desk.openBrowser();
  const { data } = await browser.call('POST', '/passkey/options');
  return {
    browser,
    options: data.options,
    send: (credential: object) => browser.call('POST', '/passkey/login', { credential }),
  };
}

describe('passkeys', () => {
  test('passkeys are discoverable, belong to the desk’s domain, and require user verification', async () => {
    const { options, browser } = await buildMember();
    expect(options).toMatchObject({
      rp: { id: 'desk.example.test', name: 'Keyturn' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    });
    const again = await browser.call('POST', '/passkeys/options');
    expect(again.data.options.excludeCredentials).toHaveLength(1);
  });

  test('a passkey signs a member in without an email, and counts as a fresh second factor', async () => {
    const { member, authenticator } = await buildMember();
    const { options, send } = await startSignIn();
    expect(options).toMatchObject({ rpId: 'desk.example.test', userVerification: 'required' });
    const { status, data } = await send(authenticator.authenticate(options));
    expect({ status, data }).toMatchObject({
      status: 200,
      data: { member: { id: member.id }, must_add_factor: false },
    });
  });

  test('a passkey does not sign in with a challenge that was used, has expired, or is another browser’s', async () => {
    const { authenticator } = await buildMember(createSoftwareAuthenticator(deskOrigin, { counts: false }));
    const used = await startSignIn();
    const credential = authenticator.authenticate(used.options);
    const cookie = new Map(used.browser.cookies);
    expect((await used.send(credential)).status).toBe(200);
    used.browser.cookies = cookie;
    expect((await used.send(credential)).code).toBe('passkey_rejected');
    const other = await startSignIn();
    const mine = await startSignIn();
    expect((await other.send(authenticator.authenticate(mine.options))).code).toBe('passkey_rejected');
    const late = await startSignIn();
    const signed = authenticator.authenticate(late.options);
    desk.clock.advance(300_000);
    expect((await late.send(signed)).code).toBe('passkey_rejected');
  });

  test('passkeys are rejected from another origin, without user verification, and for another member', async () => {
    const { authenticator } = await buildMember();
    const stranger = await buildStaff(stored);
    for (const wrong of [
      { origin: 'https://desk.example.test.evil.example' },
      { isVerified: false },
      { userHandle: Buffer.from(stranger.id).toString('base64url') },
    ]) {
      const { options, send } = await startSignIn();
      expect((await send(authenticator.authenticate(options, wrong))).code).toBe('passkey_rejected');
    }
  });

  test('passkeys are not added with a challenge of another session, or without user verification', async () => {
    const { browser, options } = await buildMember();
    const fresh = createSoftwareAuthenticator(deskOrigin);
    const add = (credential: object) => browser.call('POST', '/passkeys', { credential, name: 'Key' });
    expect((await add(fresh.register(options))).code).toBe('passkey_rejected');
    const { data } = await browser.call('POST', '/passkeys/options');
    expect((await add(fresh.register(data.options, { isVerified: false }))).code).toBe('passkey_rejected');
    expect((await browser.call('GET', '/factors')).data.factors).toHaveLength(2);
  });

  test('passkeys are rejected with an id that is longer than the standard allows', async () => {
    const { browser } = await buildMember();
    const addWith = async (options: { idLength: number }) => {
      const { data } = await browser.call('POST', '/passkeys/options');
      const credential = createSoftwareAuthenticator(deskOrigin, options).register(data.options);
      return browser.call('POST', '/passkeys', { credential, name: 'Key' });
    };
    expect(await addWith({ idLength: 1_024 })).toMatchObject({ status: 422, code: 'passkey_rejected' });
    expect(await addWith({ idLength: 8_000 })).toMatchObject({ status: 422, code: 'invalid_input' });
    expect((await addWith({ idLength: 1_023 })).status).toBe(200);
  });

  test('a passkey with a certificate of its maker, which was not asked for, is rejected however long its chain is', async () => {
    const { browser } = await buildMember();
    const add = async (certificates: number) => {
      const { data } = await browser.call('POST', '/passkeys/options');
      const attest = (signed: Buffer) => attestWithCertificates(signed, certificates);
      const credential = createSoftwareAuthenticator(deskOrigin).register(data.options, { attest });
      return browser.call('POST', '/passkeys', { credential, name: 'Key' });
    };
    expect(await add(1)).toMatchObject({ status: 422, code: 'passkey_rejected' });
    expect(await add(5)).toMatchObject({ status: 422, code: 'passkey_rejected' });
    expect(await add(12)).toMatchObject({ status: 422, code: 'invalid_input' });
  });

  test.each([
    ['usb', ['usb']],
    [['nfc', 5, 'x'.repeat(5_000), 'nfc'], ['nfc']],
    [null, []],
  ])('only known transports of %j are stored with a passkey', async (transports, expected) => {
    const { browser, member } = await buildMember(createSoftwareAuthenticator(deskOrigin, { transports }));
    expect((await browser.call('GET', '/factors')).data.factors).toHaveLength(2);
    const { rows } = await stored.pool.query(
      "select transports from staff_factors where staff_id = $1 and kind = 'passkey'",
      [member.id],
    );
    expect(rows).toEqual([{ transports: expected }]);
  });

  test('a member can have at most twenty passkeys, even when two are added concurrently', async () => {
    const { browser, member } = await buildMember();
    await stored.pool.query(
      `insert into staff_factors (id, staff_id, kind, name, created_at, active_at, credential_id, public_key, counter)
       select gen_random_uuid(), $1, 'passkey', 'Key', now(), now(), gen_random_uuid()::text, '', 0 from generate_series(1, 17)`,
      [member.id],
    );
    // Another browser of the member, because a challenge belongs to a session.
    const other = desk.openBrowser();
    desk.clock.advance(30_000);
    const code = member.codeAt(desk.clock());
    await other.call('POST', '/login', { email: member.email, password, code });
    const prepare = async ({ call }: typeof browser) => {
      const { data } = await call('POST', '/passkeys/options');
      const credential = createSoftwareAuthenticator(deskOrigin).register(data.options);
      return () => call('POST', '/passkeys', { credential, name: 'Key' });
    };
    const adding = [await prepare(browser), await prepare(other)];
    const { added } = await stored.database.transaction(async (transaction) => {
      await transaction.execute(sql`select from staff where id = ${member.id} for update`);
      const started = adding.map((add) => add());
      await untilBlocked(stored, 2);
      return { added: Promise.all(started) };
    });
    const answers = (await added).map(({ status, code: reason }) => reason ?? status);
    expect(answers.sort()).toEqual([200, 'factor_state']);
    expect((await browser.call('GET', '/factors')).data.factors).toHaveLength(20);
    expect((await browser.call('POST', '/passkeys/options')).code).toBe('factor_state');
  });

  test('only the member’s own passkey confirms their identity', async () => {
    const { browser, authenticator } = await buildMember();
    const other = await buildMember();
    desk.clock.advance(300_000);
    const invite = (email: string) => browser.call('POST', '/members', { email, role: 'handler' });
    expect((await invite('confirmed@firm.test')).code).toBe('identity_not_confirmed');
    const confirmWith = async (used: typeof authenticator) => {
      const { data } = await browser.call('POST', '/session/confirm/options');
      // Authenticators may leave the user handle out, because the options name the passkeys that are allowed.
      const credential = used.authenticate(data.options, { userHandle: null });
      return browser.call('POST', '/session/confirm/passkey', { credential });
    };
    expect((await confirmWith(other.authenticator)).code).toBe('passkey_rejected');
    expect((await confirmWith(authenticator)).status).toBe(200);
    expect((await invite('confirmed@firm.test')).status).toBe(200);
  });

  test('passkeys of a disabled member do not sign in', async () => {
    const { member, authenticator } = await buildMember();
    await stored.pool.query(`update staff set state = 'disabled' where id = $1`, [member.id]);
    const { options, send } = await startSignIn();
    expect((await send(authenticator.authenticate(options))).code).toBe('passkey_rejected');
  });
});

/** Returns a valid attestation of the format `packed` with the same certificate several times, in CBOR. */
function attestWithCertificates(signed: Buffer, count: number): Buffer {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const der = (tag: number, ...parts: Buffer[]) => {
    const content = Buffer.concat(parts);
    const length =
      content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length & 255];
    return Buffer.concat([Buffer.from([tag, ...length]), content]);
  };
  const ecdsaWithSha256 = der(0x30, Buffer.from('06082a8648ce3d040302', 'hex'));
  const part = (attribute: number, text: string) =>
    der(0x31, der(0x30, Buffer.from([6, 3, 0x55, 4, attribute]), der(0x13, Buffer.from(text))));
  const name = der(
    0x30,
    part(6, 'GB'),
    part(10, 'Maker'),
    part(11, 'Authenticator Attestation'),
    part(3, 'Key'),
  );
  const time = (text: string) => der(0x17, Buffer.from(text));
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    der(0x30, time('200101000000Z'), time('491231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const bits = (content: Buffer) => der(0x03, Buffer.from([0]), content);
  const certificate = der(0x30, body, ecdsaWithSha256, bits(sign('sha256', body, privateKey)));
  const bytes = (content: Buffer) =>
    Buffer.concat([Buffer.from([0x59, content.length >> 8, content.length & 255]), content]);
  return Buffer.concat([
    // cspell:disable-next-line
    Buffer.from('cfmtfpackedgattStmt\xa3calg\x26csig', 'latin1'),
    bytes(sign('sha256', signed, privateKey)),
    Buffer.from('cx5c', 'latin1'),
    Buffer.from([0x80 + count]),
    ...Array(count).fill(bytes(certificate)),
  ]);
}
