import { buildClient } from '@keyturn/testkit';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../platform/clock.ts';
import { withEmailChanges } from '../../../testing/serve-email-changes.ts';
import { disableClient } from '../disable-client.ts';
import { resetSignIn } from '../reset-sign-in.ts';

const {
  served,
  rows,
  send,
  mailsTo,
  tokenIn,
  buildSignedIn,
  startChange,
  startConfirmedByFormer,
  confirm,
  stop,
  login,
  emailOf,
} = withEmailChanges();

describe('changing the email address', () => {
  test.each([
    ['the new address first', ['new', 'former']],
    ['the former address first', ['former', 'new']],
  ] as const)(
    'an email change confirmed at %s is made with the other confirmation, and ends every session',
    async (_, order) => {
      const { id, email, newEmail, call, ...rest } = await buildSignedIn();
      const { newToken, formerToken } = await startChange({ id, email, newEmail, call, ...rest });
      const tokenOf = { new: newToken, former: formerToken };
      const [first, second] = order;
      expect(await confirm(tokenOf[first])).toMatchObject({
        status: 200,
        data: { missing: `${second}_address` },
      });
      expect((await call('GET', '/account')).data).toMatchObject({
        email,
        new_email: {
          email: newEmail,
          is_confirmed_at_new: first === 'new',
          is_confirmed_at_former: first === 'former',
        },
      });
      expect({ former: await login(email), now: await login(newEmail) }).toEqual({ former: 200, now: 401 });
      expect(await confirm(tokenOf[second])).toMatchObject({ status: 200, data: { missing: null } });
      expect((await call('GET', '/account')).status).toBe(401);
      expect({ former: await login(email), now: await login(newEmail) }).toEqual({ former: 401, now: 200 });
      expect(await confirm(newToken)).toMatchObject({ status: 409, code: 'link_expired' });
      expect(await emailOf(id)).toBe(newEmail);
      expect(
        await rows(
          "select action, after from audit_entries where subject_id = $1 and action like '%email%'",
          [id],
        ),
      ).toEqual([
        { action: 'client.email_change_requested', after: null },
        { action: 'client.email_change_confirmed', after: { by: `${first}_address` } },
        { action: 'client.email_change_confirmed', after: { by: `${second}_address` } },
        { action: 'client.email_changed', after: null },
      ]);
    },
  );

  test('a link that confirms an email change twice does not replace the other confirmation', async () => {
    const client = await buildSignedIn();
    const { newToken } = await startChange(client);
    for (let presses = 0; presses < 2; presses += 1)
      expect((await confirm(newToken)).data).toEqual({ missing: 'former_address' });
    expect(await emailOf(client.id)).toBe(client.email);
  });

  test('a second request for an email change discards the confirmations of the first', async () => {
    const client = await buildSignedIn();
    await startConfirmedByFormer(client);
    const third = `third.${client.email}`;
    await client.call('POST', '/account/email', { email: third });
    expect((await confirm(await tokenIn(third, 'confirm-email'))).data).toEqual({
      missing: 'former_address',
    });
    expect(await emailOf(client.id)).toBe(client.email);
  });

  test('the former address stops an email change before it is made, which ends the sessions and keeps the password', async () => {
    const client = await buildSignedIn();
    const { newToken, formerToken } = await startChange(client);
    await confirm(newToken);
    expect(await stop(formerToken)).toMatchObject({ status: 200, data: { is_undone: false } });
    expect((await client.call('GET', '/account')).status).toBe(401);
    expect((await confirm(newToken)).code).toBe('link_expired');
    expect(await emailOf(client.id)).toBe(client.email);
    expect(await login(client.email)).toBe(200);
    expect(await rows('select unrestored_email from clients where id = $1', [client.id])).toEqual([
      { unrestored_email: null },
    ]);
  });

  test('for a week after an email change, notices about the account also go to the former address', async () => {
    const client = await buildSignedIn();
    const { newToken } = await startConfirmedByFormer(client);
    await confirm(newToken);
    const notices = async (address: string, subject: string) =>
      (await mailsTo(address)).filter((mail) => mail.includes(`Subject: ${subject}`)).length;
    for (const address of [client.email, client.newEmail])
      expect(await notices(address, 'Your email address was changed'), address).toBe(1);
    await login(client.newEmail);
    expect(await notices(client.email, 'New sign-in to your account')).toBe(1);
    await rows("update email_changes set stoppable_until = now() - interval '1 second'");
    // Ten minutes later.
    await rows('delete from login_failures');
    await login(client.newEmail);
    expect([
      await notices(client.email, 'New sign-in to your account'),
      await notices(client.newEmail, 'New sign-in to your account'),
    ]).toEqual([1, 2]);
  });

  test('an address that was changed within a week is not changed again, so that the former address can undo it', async () => {
    const client = await buildSignedIn();
    const { newToken } = await startConfirmedByFormer(client);
    await confirm(newToken);
    const headers = await served.server.signInAs(client.id, { isSteppedUp: true });
    const again = await send('POST', '/account/email', { email: 'another@example.test' }, headers);
    expect(again).toMatchObject({ status: 409, code: 'email_changed_recently' });
    expect(again.message).toContain('less than 7 days ago');
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
      await resetSignIn({ clock: systemClock }, transaction, {
        ...reset,
        replacedFeedEmail: null,
        unrestoredEmail: null,
      });
      await disableClient(transaction, disabled.id, systemClock());
    });
    for (const token of tokens) expect((await confirm(token)).code).toBe('link_expired');
    expect([await emailOf(reset.id), await emailOf(disabled.id)]).toEqual([reset.email, disabled.email]);
  });

  test('setting a password by link cancels an unconfirmed email change', async () => {
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

  test('an address of another client is not revealed, and its owner is emailed', async () => {
    const [mine, theirs] = [await buildSignedIn(), await buildSignedIn()];
    const started = await mine.call('POST', '/account/email', { email: theirs.email });
    expect(started).toMatchObject({ status: 200, data: { new_email: { email: theirs.email } } });
    const [mail = ''] = await mailsTo(theirs.email);
    expect(mail).toContain('This email address already has an account');
    expect(mail).not.toContain('confirm-email#');
  });

  test('a link is useless when another client has taken the address meanwhile', async () => {
    const client = await buildSignedIn();
    const { newToken } = await startConfirmedByFormer(client);
    await buildClient(served.server.database, { email: client.newEmail.toLowerCase() });
    expect(await confirm(newToken)).toMatchObject({ status: 409, code: 'email_taken' });
  });

  test('emails to other addresses are limited to three a minute', async () => {
    const { call } = await buildSignedIn();
    for (const name of ['a', 'b', 'c'])
      expect((await call('POST', '/account/email', { email: `${name}@flood.test` })).status).toBe(200);
    expect((await call('POST', '/account/email', { email: 'd@flood.test' })).code).toBe('too_many_requests');
  });
});
