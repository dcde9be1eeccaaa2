import { expect, test } from 'vitest';
import { withEmailChanges } from '../../testing/serve-email-changes.ts';
import { queueClientNotice } from './client-notice-mail.ts';

const { served, rows, send, buildSignedIn, mailsTo } = withEmailChanges();
const password = 'turn-the-key-2026';

const noticesTo = async (email: string) =>
  (await mailsTo(email)).filter((mail) => mail.includes('Subject: New sign-in to your account'));
const cookiesOf = ({ cookies }: { cookies: { name: string; value: string }[] }) =>
  Object.fromEntries(cookies.map(({ name, value }) => [name, value]));

test('a sign-in on a new device is emailed to the client, one on a known device is not, and repeated ones are merged', async () => {
  const { email } = await buildSignedIn();
  const signIn = (cookies: Record<string, string> = {}) =>
    served.server.app.inject({
      method: 'POST',
      url: '/api/login',
      payload: { email, password },
      headers: {
        'user-agent':
          'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36',
      },
      cookies,
    });
  const notices = () => noticesTo(email);

  const first = await signIn();
  expect(first.statusCode).toBe(200);
  const [notice = '', ...more] = await notices();
  expect(more).toEqual([]);
  expect(notice).toContain('Someone used a new device (Chrome on Windows) to sign in to your account');
  expect(notice).not.toContain('reset-password#');

  expect((await signIn(cookiesOf(first))).statusCode).toBe(200);
  expect(await notices()).toHaveLength(1);

  // Repeated ones are one email, which says how many there were.
  for (let times = 2; times <= 6; times += 1) expect((await signIn()).statusCode).toBe(200);
  expect(await notices()).toHaveLength(1);
  const waiting = "key like 'notice client%new_device' and payload ->> 'times' = '6'";
  expect(
    await rows(`select from graphile_worker.jobs where run_at > now() + interval '9 minutes'`),
  ).toHaveLength(1);
  await rows(`update graphile_worker._private_jobs set run_at = now() where ${waiting}`);
  const [, merged, ...others] = await notices();
  expect(merged).toContain('This happened 6 times within ten minutes; this was the last.');
  expect(others).toEqual([]);
});

test('a client whose recovery codes a restore has disabled is emailed what to do', async () => {
  const { id, email } = await buildSignedIn();
  await queueClientNotice(served.server.database, id, { kind: 'recovery_codes_disabled' }, new Date());
  const [mail = ''] = await mailsTo(email);
  expect(mail).toContain('Subject: Your recovery codes no longer work');
  expect(mail).toContain('make new recovery codes');
  expect(mail).not.toContain('If that was you');
});

test('the first sign-in after a password link is emailed to the client, although the link made the device known', async () => {
  const { email } = await buildSignedIn();
  await send('POST', '/password/forgot', { email });
  const token = /reset-password#([\w-]{43})/.exec((await mailsTo(email)).join())?.[1];
  const chosen = 'wardrobe-otter-lantern-71';
  const request = (url: string, payload: object, cookies: Record<string, string> = {}) =>
    served.server.app.inject({ method: 'POST', url: `/api${url}`, payload, cookies });
  const set = await request('/password/reset', { token, password: chosen });
  expect(set.statusCode).toBe(204);
  for (const signIn of ['first', 'second']) {
    const answer = await request('/login', { email, password: chosen }, cookiesOf(set));
    expect(answer.statusCode).toBe(200);
    expect(await noticesTo(email), signIn).toHaveLength(1);
  }
});

const phoneOf = async (id: string) =>
  (
    await rows(
      `select phone, former_phone, replaced_feed_phone, recent_phones, phone_changed_at is not null as is_own from clients where id = $1`,
      [id],
    )
  )[0];

test('a client who changes their phone number is emailed its last digits, and an unchanged number changes nothing', async () => {
  const { id, email, call } = await buildSignedIn();
  const put = (phone: unknown) => call('PUT', '/account/phone', { phone });
  const onFile = '01632 960123';
  for (const invalid of ['', 'call me', '12345', '07700 900456 or 07700 900457', '1'.repeat(16)])
    expect((await put(invalid)).code, invalid).toBe('invalid_input');
  for (const same of [onFile, '+44 (0)1632 960123', ' 01632960123'])
    expect((await put(same)).data, same).toMatchObject({ email, phone: onFile });
  expect(await phoneOf(id)).toMatchObject({ phone: onFile, is_own: false });

  expect((await put(null)).data).toMatchObject({ phone: null });
  expect((await put(null)).status).toBe(200);
  expect((await put('+44 (0)7700 900456')).data).toMatchObject({ phone: '+447700900456' });
  expect((await call('GET', '/account')).data).toMatchObject({ phone: '+447700900456' });
  const audited = await rows(
    "select before, after from audit_entries where action = 'client.phone_changed' and subject_id = $1 order by occurred_at",
    [id],
  );
  expect(audited).toEqual([
    { before: { phone_ends_in: '123' }, after: { phone_ends_in: null } },
    { before: { phone_ends_in: null }, after: { phone_ends_in: '456' } },
  ]);
  const mails = await mailsTo(email);
  expect(mails.map((mail) => /^Subject: (.*)$/m.exec(mail)?.[1]).sort()).toEqual([
    'A phone number was added',
    'Your phone number was removed',
  ]);
  expect(mails.join()).toContain('Your phone number ending in 123 was removed from your account at');
  expect(mails.join()).not.toContain('900456');
});

test('the number before a week’s changes stays on record as the former one, so that a second change cannot hide the first', async () => {
  const { id, email, call } = await buildSignedIn();
  const put = async (phone: string) => (await call('PUT', '/account/phone', { phone })).status;
  const onFile = '01632 960123';
  await put('07700 900111');
  await put('07700 900222');
  const recent_phones = ['+447700900111', '+447700900222'];
  const own = { replaced_feed_phone: onFile, is_own: true };
  expect(await phoneOf(id)).toEqual({ phone: '+447700900222', former_phone: onFile, recent_phones, ...own });
  await rows("update clients set phone_changed_at = now() - interval '7 days' where id = $1", [id]);
  await put('07700 900333');
  const latest = {
    phone: '+447700900333',
    former_phone: '+447700900222',
    recent_phones: ['+447700900333'],
  };
  expect(await phoneOf(id)).toEqual({ ...latest, ...own });
  expect(await put('07700 900444')).toBe(429);
  expect((await phoneOf(id)).phone).toBe('+447700900333');
  expect((await mailsTo(email)).join()).toContain(
    'Your phone number ending in 111 was changed to one ending in 222',
  );
});
