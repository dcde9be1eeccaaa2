import { expect, test } from 'vitest';
import { withEmailChanges } from '../../testing/serve-email-changes.ts';

const { served, buildSignedIn, mailsTo } = withEmailChanges();

test('a sign-in on a new device is mailed to the client, and one on a known device is not', async () => {
  const { email } = await buildSignedIn();
  const signIn = (cookies: Record<string, string> = {}) =>
    served.server.app.inject({
      method: 'POST',
      url: '/api/login',
      payload: { email, password: 'turn-the-key-2026' },
      cookies,
    });
  const notices = async () =>
    (await mailsTo(email)).filter((mail) => mail.includes('Subject: New sign-in to your account'));

  const first = await signIn();
  expect(first.statusCode).toBe(200);
  const [notice = '', ...more] = await notices();
  expect(more).toEqual([]);
  expect(notice).toContain('Someone used a new device to sign in to your account');
  expect(notice).not.toContain('reset-password#');

  const device = Object.fromEntries(first.cookies.map(({ name, value }) => [name, value]));
  expect((await signIn(device)).statusCode).toBe(200);
  expect(await notices()).toHaveLength(1);

  expect((await signIn()).statusCode).toBe(200);
  expect(await notices()).toHaveLength(2);
});
