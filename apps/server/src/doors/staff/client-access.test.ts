import { buildClient, buildRegulation } from '@keyturn/testkit';
import { beforeEach, describe, expect, test } from 'vitest';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import { deskFeed, withDeskCase } from '../../testing/serve-desk-case.ts';

const desk = withDeskCase();
const clientId = async () => (await desk.rows('select id from clients'))[0].id;
const jobs = () => desk.rows('select payload from graphile_worker._private_jobs');
const audited = () =>
  desk.rows("select action, actor_kind, subject_id from audit_entries where action like 'client.%'");

test('a member cannot invite the first client before the firm has entered what it must show', async () => {
  const browser = await desk.signIn();
  const { id } = await buildClient(desk.testDatabase.database);
  const invite = () => browser.call('POST', `/clients/${id}/invitation`);
  const read = async () => (await browser.call('GET', '/missing-firm-data')).data;
  const { missing, allows_invitations } = await read();
  expect(missing).toContain('Legal form');
  expect(allows_invitations).toBe(false);
  expect(await invite()).toMatchObject({
    status: 409,
    code: 'firm_data_missing',
    message: expect.stringContaining(missing.join('; ')),
  });
  expect([await jobs(), await audited()]).toEqual([[], []]);
  const { database } = desk.testDatabase;
  await buildRegulation(database);
  expect(await read()).toMatchObject({ missing: [], allows_invitations: true });
  expect((await invite()).status).toBe(204);
  // A firm that has invited clients continues to, whatever it removes.
  await buildRegulation(database, { insurer_name: null });
  expect(await read()).toMatchObject({
    missing: ['Professional indemnity insurer'],
    allows_invitations: true,
  });
  expect((await invite()).status).toBe(204);
});

describe('the access of clients at the desk', () => {
  beforeEach(async () => {
    await buildRegulation(desk.testDatabase.database);
    await desk.rows("update clients set password_hash = 'x'");
  });

  test('a client without a password gets another invitation, and a client with a password gets a reset link', async () => {
    const browser = await desk.signIn();
    const id = await clientId();
    expect(await browser.call('POST', `/clients/${id}/invitation`)).toMatchObject({
      status: 409,
      message: expect.stringContaining('has chosen a password'),
    });
    expect((await browser.call('POST', `/clients/${id}/password-link`)).status).toBe(204);
    expect(await jobs()).toMatchObject([
      { payload: { email: 'zoe@example.test', purpose: 'forgotten', isFromFirm: true } },
    ]);
    await desk.rows('update clients set password_hash = null');
    expect((await browser.call('POST', `/clients/${id}/password-link`)).status).toBe(409);
    expect((await browser.call('POST', `/clients/${id}/invitation`)).status).toBe(204);
    expect(await jobs()).toMatchObject([{ payload: { purpose: 'invitation' } }]);
    expect(await audited()).toEqual([
      { action: 'client.password_link_sent', actor_kind: 'staff', subject_id: id },
      { action: 'client.invited', actor_kind: 'staff', subject_id: id },
    ]);
  });

  test('a client gets no more than five password links an hour', async () => {
    const browser = await desk.signIn();
    const id = await clientId();
    await desk.rows(
      `insert into password_links (token_hash, client_id, purpose, created_at, expires_at)
       select sha256(n::text::bytea), $1, 'forgotten', '2026-11-23T08:30:00Z', '2026-11-24T08:30:00Z' from generate_series(1, 5) n`,
      [id],
    );
    expect(await browser.call('POST', `/clients/${id}/password-link`)).toMatchObject({ status: 409 });
    expect(await audited()).toEqual([]);
  });

  test('a member has links emailed to twenty clients a minute, and calls that send none do not count', async () => {
    const [browser, colleague] = [await desk.signIn(), await desk.signIn()];
    const build = (passwordHash: string | null) => buildClient(desk.testDatabase.database, { passwordHash });
    const invite = (id: string, by = browser) => by.call('POST', `/clients/${id}/invitation`);
    const reset = ({ id, email }: { id: string; email: string }) =>
      browser.call('POST', `/clients/${id}/sign-in-reset`, { identity_check: 'called_back', email });
    const active = await build('hash');
    expect((await invite(active.id)).status).toBe(409);
    for (let count = 0; count < 19; count += 1)
      expect((await invite((await build(null)).id)).status).toBe(204);
    expect((await reset(active)).status).toBe(204);
    const next = await build(null);
    for (const refused of [await invite(next.id), await reset(await build('hash'))])
      expect(refused).toMatchObject({ status: 429, code: 'too_many_requests' });
    expect((await invite(next.id, colleague)).status).toBe(204);
    desk.clock.advance(120_000);
    expect((await invite((await build(null)).id)).status).toBe(204);
  });

  test('staff can end every session of a client', async () => {
    const browser = await desk.signIn('admin');
    const id = await clientId();
    await desk.rows(
      "insert into sessions (token_hash, client_id, expires_at) values (sha256('x'), $1, now() + interval '1 day')",
      [id],
    );
    expect((await browser.call('DELETE', `/clients/${id}/sessions`)).status).toBe(204);
    expect(await desk.rows('select revoked_at is not null as ended from sessions')).toEqual([
      { ended: true },
    ]);
    expect(await audited()).toMatchObject([{ action: 'client.sessions_ended' }]);
  });

  test('a reset removes everything that a client signs in with, and records how the identity was checked', async () => {
    const browser = await desk.signIn();
    const id = await clientId();
    await desk.rows('update clients set password_hash = $1', ['a hash']);
    await desk.rows(
      "insert into sessions (token_hash, client_id, expires_at) values (sha256('y'), $1, now() + interval '1 day')",
      [id],
    );
    await desk.rows(
      `insert into client_factors (id, client_id, kind, name, created_at, active_at, credential_id, public_key, counter)
       values (gen_random_uuid(), $1, 'passkey', 'Laptop', now(), now(), 'a passkey', '', 0)`,
      [id],
    );
    await desk.rows(
      "insert into client_recovery_codes (code_hash, client_id, created_at) values (sha256('code'), $1, now())",
      [id],
    );
    const reset = (body: object) => browser.call('POST', `/clients/${id}/sign-in-reset`, body);
    const email = 'zoe@example.test';
    expect((await reset({ email })).status).toBe(422);
    expect((await reset({ email, identity_check: 'email' })).status).toBe(422);
    expect((await reset({ identity_check: 'called_back' })).status).toBe(422);
    expect((await reset({ email, identity_check: 'called_back' })).status).toBe(204);
    expect(
      await desk.rows(`select password_hash, (select count(*)::int from client_factors) as factors,
        (select count(*)::int from client_recovery_codes) as codes,
        (select count(*)::int from sessions where revoked_at is null) as sessions from clients`),
    ).toEqual([{ password_hash: null, factors: 0, codes: 0, sessions: 0 }]);
    expect(await jobs()).toMatchObject([{ payload: { email: 'zoe@example.test', purpose: 'reset' } }]);
    expect(await desk.rows("select after from audit_entries where action = 'client.sign_in_reset'")).toEqual([
      { after: { identity_check: 'called_back' } },
    ]);
    expect(await reset({ email, identity_check: 'in_person' })).toMatchObject({
      status: 409,
      message: expect.stringContaining('Send an invitation'),
    });
  });

  test('a reset shows both addresses of a client who has changed theirs, and emails the one that the member chooses', async () => {
    const browser = await desk.signIn();
    const id = await clientId();
    await desk.rows(
      "update clients set email = 'new@example.test', replaced_feed_email = 'zoe@example.test', password_hash = 'a hash'",
    );
    await recordAudit(desk.testDatabase.database, {
      occurredAt: new Date('2026-11-20T09:00:00Z'),
      actor: { kind: 'client', id, name: 'Zoë Li' },
      action: 'client.email_changed',
      subject: { kind: 'client', id },
    });
    expect((await desk.readCase(browser)).clients).toMatchObject([
      {
        email: 'new@example.test',
        own_email: {
          firm_email: 'zoe@example.test',
          changed: { at: '2026-11-20T09:00:00.000Z', by: 'Zoë Li' },
        },
      },
    ]);
    const reset = (email: string) =>
      browser.call('POST', `/clients/${id}/sign-in-reset`, { identity_check: 'video_call', email });
    expect(await reset('thief@example.test')).toMatchObject({ status: 409, code: 'changed_meanwhile' });
    expect((await reset('zoe@example.test')).status).toBe(204);
    expect(await jobs()).toMatchObject([{ payload: { email: 'zoe@example.test', purpose: 'reset' } }]);
    expect(await desk.rows('select email, replaced_feed_email from clients')).toEqual([
      { email: 'zoe@example.test', replaced_feed_email: null },
    ]);
    expect(await desk.rows("select after from audit_entries where action = 'client.sign_in_reset'")).toEqual([
      { after: { identity_check: 'video_call', address_restored: true } },
    ]);
  });

  test('staff see the former number of a client who changed theirs, and for seven days that the new one is recent', async () => {
    const browser = await desk.signIn();
    const own = { phone: '07700 900456', former: '01632 960123', firms: '01632 960123' };
    /** @param days how long ago the client changed it */
    const shownAfter = async (days: number, { phone, former, firms }: typeof own) => {
      const at = new Date(desk.clock().getTime() - days * 86_400_000);
      await desk.rows(
        'update clients set phone = $1, former_phone = $2, replaced_feed_phone = $3, phone_changed_at = $4',
        [phone, former, firms, at],
      );
      return (await desk.readCase(browser)).clients[0]?.own_phone;
    };
    expect((await desk.readCase(browser)).clients[0]?.own_phone).toBeNull();
    expect(await shownAfter(6.9, own)).toMatchObject({
      firm_phone: own.firms,
      is_recent: true,
      former_phone: own.former,
    });
    expect(await shownAfter(7, own)).toMatchObject({
      firm_phone: own.firms,
      is_recent: false,
      former_phone: null,
    });
    // The firm’s system has copied the number, and the client has changed it back.
    expect(await shownAfter(1, { ...own, firms: own.phone })).toMatchObject({ is_recent: true });
    expect(await shownAfter(1, { ...own, phone: own.former })).toMatchObject({ is_recent: false });
  });

  test('a client whose email change was undone gets a link only with a reset, after the member has checked who they are', async () => {
    const browser = await desk.signIn();
    const id = await clientId();
    await desk.rows(
      "update clients set email = 'zoe@example.test', unrestored_email = 'zoe@example.test', password_hash = 'a hash'",
    );
    expect(await browser.call('POST', `/clients/${id}/password-link`)).toMatchObject({
      status: 409,
      message: expect.stringContaining('reset their sign-in'),
    });
    const sent = { identity_check: 'called_back', email: 'zoe@example.test' };
    expect((await browser.call('POST', `/clients/${id}/sign-in-reset`, sent)).status).toBe(204);
    expect(await desk.rows('select unrestored_email from clients')).toEqual([{ unrestored_email: null }]);
    expect(await jobs()).toMatchObject([{ payload: { email: 'zoe@example.test', purpose: 'reset' } }]);
  });

  test('a client whose former address could not be restored gets no link at the address in doubt', async () => {
    const browser = await desk.signIn();
    const id = await clientId();
    await desk.rows(
      `update clients set email = 'thief@example.test', replaced_feed_email = 'zoe@example.test',
       unrestored_email = 'zoe@example.test', password_hash = null`,
    );
    await buildClient(desk.testDatabase.database, { email: 'Zoe@example.test' });
    expect((await desk.readCase(browser)).clients).toMatchObject([{ unrestored_email: 'zoe@example.test' }]);
    const inDoubt = { status: 409, message: expect.stringContaining('someone else may read it') };
    expect(await browser.call('POST', `/clients/${id}/invitation`)).toMatchObject({
      status: 409,
      message: expect.stringContaining('reset their sign-in'),
    });
    const reset = (email: string) =>
      browser.call('POST', `/clients/${id}/sign-in-reset`, { identity_check: 'called_back', email });
    expect(await reset('thief@example.test')).toMatchObject(inDoubt);
    expect(await reset('zoe@example.test')).toMatchObject({
      status: 409,
      message: expect.stringContaining('Another client now has this address'),
    });
    expect(await jobs()).toEqual([]);
    await desk.importing({
      ...deskFeed,
      clients: [{ ...deskFeed.clients[0], email: 'third@example.test', password: 'a long enough phrase 9' }],
    });
    expect((await browser.call('POST', `/clients/${id}/password-link`)).status).toBe(204);
    expect(await jobs()).toMatchObject([{ payload: { email: 'third@example.test' } }]);
  });

  test('a reset needs a recent confirmation of who the member is', async () => {
    const browser = await desk.signIn();
    await desk.rows("update staff_sessions set confirmed_at = confirmed_at - interval '5 minutes'");
    const body = { identity_check: 'in_person', email: 'zoe@example.test' };
    expect(await browser.call('POST', `/clients/${await clientId()}/sign-in-reset`, body)).toMatchObject({
      status: 403,
      code: 'identity_not_confirmed',
    });
  });

  test('staff disable a client, which ends sessions and links, and only an admin lets them sign in again', async () => {
    const handler = await desk.signIn();
    const admin = await desk.signIn('admin');
    const id = await clientId();
    const openSession =
      "insert into sessions (token_hash, client_id, expires_at) values (sha256($2), $1, now() + interval '1 day')";
    await desk.rows(openSession, [id, 'before']);
    await desk.rows(
      `insert into password_links (token_hash, client_id, purpose, created_at, expires_at)
       values (sha256('link'), $1, 'forgotten', now(), now() + interval '1 day')`,
      [id],
    );
    expect((await handler.call('POST', `/clients/${id}/disable`)).status).toBe(204);
    expect(await handler.call('POST', `/clients/${id}/disable`)).toMatchObject({ status: 409 });
    await desk.rows(openSession, [id, 'after']);
    expect(await desk.rows('select revoked_at is not null as ended from sessions')).toEqual([
      { ended: true },
    ]);
    expect(await desk.rows('select used_at is not null as used from password_links')).toEqual([
      { used: true },
    ]);
    expect((await desk.readCase(handler)).clients).toMatchObject([{ is_disabled: true, open_sessions: 0 }]);
    expect(await handler.call('POST', `/clients/${id}/password-link`)).toMatchObject({
      status: 409,
      message: expect.stringContaining('is disabled'),
    });

    expect((await handler.call('POST', `/clients/${id}/enable`)).status).toBe(403);
    expect((await admin.call('POST', `/clients/${id}/enable`)).status).toBe(204);
    expect(await admin.call('POST', `/clients/${id}/enable`)).toMatchObject({ status: 409 });
    await desk.rows(openSession, [id, 'again']);
    expect(await desk.rows('select from sessions where revoked_at is null')).toHaveLength(1);
    expect(await audited()).toMatchObject([{ action: 'client.disabled' }, { action: 'client.enabled' }]);
  });
});
