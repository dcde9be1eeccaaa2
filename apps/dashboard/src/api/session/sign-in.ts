import type { Services } from '../services/services.ts';

/**
 * Signs in: keeps the token, its type and its expiry. The first screen behind it reads the client.
 * @throws ApiError when the credentials are refused or the call fails
 */
export async function signIn(
  { auth, call }: Pick<Services, 'auth' | 'call'>,
  credentials: { email: string; password: string },
): Promise<void> {
  auth.signIn(await call('POST /login', { body: credentials }));
}
