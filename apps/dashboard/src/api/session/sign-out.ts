import type { Services } from '../services/services.ts';
import type { SignOutReason } from './auth-store.ts';

/**
 * Signs out immediately, in every tab, and ends the session at the server in the background. If that fails, the
 * session still expires.
 */
export function signOut(
  { auth, call }: Pick<Services, 'auth' | 'call'>,
  reason: SignOutReason = 'signed_out',
): void {
  const credential = auth.credential();
  auth.clear(reason);
  if (credential) call('POST /logout', { credential, keepalive: true }).catch(() => undefined);
}
