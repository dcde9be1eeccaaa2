import { buildClient } from '@keyturn/testkit';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../platform/clock.ts';
import { withEmailChanges } from '../../../testing/serve-email-changes.ts';
import { disableClient } from '../disable-client.ts';
import { resetSignIn } from '../reset-sign-in.ts';

const { served, rows, send, mailsTo, tokenIn, buildSignedIn, confirm, stop, login, emailOf } =
  withEmailChanges();

describe('changing the email address', () => {
  test('the new address is used once it is confirmed, and every session ends', async () => {
    const { id, email, newEmail, call } = await buildSignedIn();
    const started = await call('POST', '/account/email', { email: newEmail });
    expect(started.data).toMatchObject({ email, new_email: { email: newEmail } });
    expect(await login(newEmail)).toBe(401);
    const token = await tokenIn(newEmail, 'confirm-email');
    expect((await confirm(token)).status).toBe(204);
    expect((await call('GET', '/account')).status).toBe(401);
    expect({ former: await login(email), now: await login(newEmail) }).toEqual({ former: 401, now: 200 });
    expect(await confirm(token)).toMatchObject({ status: 409, code: 'link_expired' });
    expect(await emailOf(id)).toBe(newEmail);
  });

  test('the former address is mailed at once, and can stop the change before it is made', async () => {
    const { id, email, newEmail, call } = await buildSignedIn();
    await call('POST', '/account/email', { email: newEmail });
    const confirmToken = await tokenIn(newEmail, 'confirm-email');
    expect(await stop(await tokenIn(email, 'stop-email-change'))).toMatchObject({
      status: 200,
      data: { is_address_restored: true },
    });
    expect((await confirm(confirmToken)).code).toBe('link_expired');
    expect(await emailOf(id)).toBe(email);
    expect((await call('GET', '/account')).status).toBe(401);
  });

  test('the former address can undo the change for a week, which removes the password and what a thief has added', async () => {
    const { id, email, newEmail, call } = await buildSignedIn();
    const add = (name: string, age: string) =>
      rows(
        `insert into client_factors (id, client_id, kind, name, created_at, active_at, credential_id, public_key, counter)
         values (gen_random_uuid(), $1, 'passkey', $2, now() - $3::interval, now() - $3::interval, gen_random_uuid()::text, '', 0)`,
        [id, name, age],
      );
    await add('their own', '8 days');
    await add('of a thief who waited', '6 days');
    await call('POST', '/account/email', { email: newEmail });
    await add('of a thief', '0');
    const stopToken = await tokenIn(email, 'stop-email-change');
    await confirm(await tokenIn(newEmail, 'confirm-email'));
    expect((await stop(stopToken)).status).toBe(200);
    expect(await emailOf(id)).toBe(email);
    expect(await login(email)).toBe(401);
    const factors = await rows('select name from client_factors where client_id = $1', [id]);
    expect(factors).toEqual([{ name: 'their own' }]);
    expect((await stop(stopToken)).code).toBe('link_expired');
  });

  test('stopping a change removes an authenticator app that was started before, and its recovery codes', async () => {
    const { id, email, newEmail, call } = await buildSignedIn();
    const { data } = await call('POST', '/account/authenticators');
    await call('POST', '/account/email', { email: newEmail });
    await rows('update client_factors set active_at = now() where id = $1', [data.id]);
    await rows(
      "insert into client_recovery_codes (code_hash, client_id, created_at) values (sha256('code'), $1, now())",
      [id],
    );
    expect((await stop(await tokenIn(email, 'stop-email-change'))).status).toBe(200);
    const left = await rows(
      `select (select count(*)::int from client_factors where client_id = $1) as factors,
         (select count(*)::int from client_recovery_codes where client_id = $1) as codes`,
      [id],
    );
    expect(left).toEqual([{ factors: 0, codes: 0 }]);
  });

  test('an address that was changed within a week is not changed again, so that the former address can undo it', async () => {
    const { id, newEmail, call } = await buildSignedIn();
    await call('POST', '/account/email', { email: newEmail });
    await confirm(await tokenIn(newEmail, 'confirm-email'));
    const headers = await served.server.signInAs(id, { isSteppedUp: true });
    const again = await send('POST', '/account/email', { email: 'another@example.test' }, headers);
    expect(again).toMatchObject({ status: 409, code: 'email_changed_recently' });
    expect(again.message).toContain('less than 7 days ago');
  });

  test('after a week, the former address can no longer undo the change', async () => {
    const { email, newEmail, call } = await buildSignedIn();
    await call('POST', '/account/email', { email: newEmail });
    const stopToken = await tokenIn(email, 'stop-email-change');
    await confirm(await tokenIn(newEmail, 'confirm-email'));
    await rows("update email_changes set stoppable_until = now() - interval '1 second'");
    expect((await stop(stopToken)).code).toBe('link_expired');
  });

  test('a change needs a recent confirmation, a new address, and can be cancelled', async () => {
    const { id, email, newEmail, call } = await buildSignedIn();
    expect(await call('POST', '/account/email', { email: email.toUpperCase() })).toMatchObject({
      status: 409,
      code: 'email_unchanged',
    });
    await call('POST', '/account/email', { email: newEmail });
    const token = await tokenIn(newEmail, 'confirm-email');
    expect((await call('DELETE', '/account/email')).data).toMatchObject({ email, new_email: null });
    expect((await confirm(token)).code).toBe('link_expired');
    await rows("update sessions set stepped_up_at = now() - interval '5 minutes' where client_id = $1", [id]);
    expect((await call('POST', '/account/email', { email: newEmail })).code).toBe('identity_not_confirmed');
  });

  test('a reset by the firm, or disabling the client, cancels a change that was not confirmed', async () => {
    const [reset, disabled] = [await buildSignedIn(), await buildSignedIn()];
    for (const { call, newEmail } of [reset, disabled])
      await call('POST', '/account/email', { email: newEmail });
    const tokens = [
      await tokenIn(reset.newEmail, 'confirm-email'),
      await tokenIn(disabled.newEmail, 'confirm-email'),
    ];
    const { database } = served.server;
    await database.transaction(async (transaction) => {
      await resetSignIn({ database, clock: systemClock }, transaction, {
        ...reset,
        replacedFeedEmail: null,
        unrestoredEmail: null,
      });
      await disableClient(transaction, disabled.id, systemClock());
    });
    for (const token of tokens) expect((await confirm(token)).code).toBe('link_expired');
    expect([await emailOf(reset.id), await emailOf(disabled.id)]).toEqual([reset.email, disabled.email]);
  });

  test('a new password by link cancels a change that was not confirmed', async () => {
    const { id, email, newEmail, call } = await buildSignedIn();
    await call('POST', '/account/email', { email: newEmail });
    const token = await tokenIn(newEmail, 'confirm-email');
    await send('POST', '/password/forgot', { email });
    const link = /reset-password#([\w-]{43})/.exec((await mailsTo(email)).join())?.[1];
    const changed = await send('POST', '/password/reset', {
      token: link,
      password: 'wardrobe-otter-lantern-71',
    });
    expect(changed.status).toBe(204);
    expect((await confirm(token)).code).toBe('link_expired');
    expect(await emailOf(id)).toBe(email);
  });

  test('an address of another client is not revealed, and its owner is mailed', async () => {
    const [mine, theirs] = [await buildSignedIn(), await buildSignedIn()];
    const started = await mine.call('POST', '/account/email', { email: theirs.email });
    expect(started).toMatchObject({ status: 200, data: { new_email: { email: theirs.email } } });
    const [mail = ''] = await mailsTo(theirs.email);
    expect(mail).toContain('This email address already has an account');
    expect(mail).not.toContain('confirm-email#');
  });

  test('a link is useless when another client has taken the address meanwhile', async () => {
    const { newEmail, call } = await buildSignedIn();
    await call('POST', '/account/email', { email: newEmail });
    const token = await tokenIn(newEmail, 'confirm-email');
    await buildClient(served.server.database, { email: newEmail.toLowerCase() });
    expect(await confirm(token)).toMatchObject({ status: 409, code: 'email_taken' });
  });

  test('mails to other addresses are limited to three a minute', async () => {
    const { call } = await buildSignedIn();
    for (const name of ['a', 'b', 'c'])
      expect((await call('POST', '/account/email', { email: `${name}@flood.test` })).status).toBe(200);
    expect((await call('POST', '/account/email', { email: 'd@flood.test' })).code).toBe('too_many_requests');
  });
});
