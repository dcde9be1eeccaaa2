import type { Services } from '../services/services.ts';
import type { SignOutReason } from './auth-store.ts';

/**
 * Signs out here and now, in every tab. The server is told behind it, with the token that has just been dropped:
 * when that fails or hangs, the token ends by its own expiry.
 */
export function signOut(
  { auth, call }: Pick<Services, 'auth' | 'call'>,
  ending: SignOutReason = 'left',
): void {
  const authorization = auth.authorization();
  auth.clear(ending);
  if (authorization) call('POST /logout', { authorization, keepalive: true }).catch(() => undefined);
}
