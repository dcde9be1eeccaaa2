import { expect, test } from 'vitest';
import { withEmailChanges } from '../../testing/serve-email-changes.ts';

const { served, send, buildSignedIn, mailsTo } = withEmailChanges();
const password = 'turn-the-key-2026';

const noticesTo = async (email: string) =>
  (await mailsTo(email)).filter((mail) => mail.includes('Subject: New sign-in to your account'));
const cookiesOf = ({ cookies }: { cookies: { name: string; value: string }[] }) =>
  Object.fromEntries(cookies.map(({ name, value }) => [name, value]));

test('a sign-in on a new device is mailed to the client, and one on a known device is not', async () => {
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

  expect((await signIn()).statusCode).toBe(200);
  expect(await notices()).toHaveLength(2);
});

test('the first sign-in after a password link is mailed to the client, although the link made the device known', async () => {
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
