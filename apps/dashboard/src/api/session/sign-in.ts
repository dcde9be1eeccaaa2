import type { Services } from '../services/services.ts';

/**
 * Signs in and stores the sign-in with its expiry. The next screen fetches the client.
 * @throws ApiError if the credentials are wrong or the call fails
 */
export async function signIn(
  { auth, call }: Pick<Services, 'auth' | 'call'>,
  credentials: { email: string; password: string; code?: string },
): Promise<void> {
  auth.signIn(await call('POST /login', { body: credentials }));
}
