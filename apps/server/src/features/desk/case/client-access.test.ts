import { describe, expect, test } from 'vitest';
import { withDeskCase } from '../../../testing/serve-desk-case.ts';

const desk = withDeskCase();
const clientId = async () => (await desk.rows('select id from clients'))[0].id;
const jobs = () => desk.rows('select payload from graphile_worker._private_jobs');
const audited = () =>
  desk.rows("select action, actor_kind, subject_id from audit_entries where action like 'client.%'");

describe('the access of clients at the desk', () => {
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
});
