import { buildSession, type TestServer } from '@keyturn/testkit';
import { createHalves } from '../http/sign-in/session-cookie.ts';
import { hashToken } from '../platform/credentials/hash-token.ts';

/**
 * Creates a session of the dashboard on the server’s own origin.
 * @param options.prefix of the cookie’s name: `__Host-` over HTTPS
 * @returns the headers with the token and its cookie
 */
export async function signInWithHalves(
  { database }: Pick<TestServer, 'database'>,
  clientId: string,
  { prefix = '' } = {},
) {
  const { token, secret } = createHalves();
  await buildSession(database, { tokenHash: hashToken(token), clientId });
  return {
    authorization: `Bearer ${token}`,
    cookie: `${prefix}keyturn-session-${token.slice(8, 16)}=${secret}`,
  };
}
