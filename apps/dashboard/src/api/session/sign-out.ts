import type { Services } from '../services/services.ts';
import type { SignOutReason } from './auth-store.ts';

/**
 * Signs out immediately, in every tab, and revokes the token at the server in the background. If that fails, the
 * token still expires.
 */
export function signOut(
  { auth, call }: Pick<Services, 'auth' | 'call'>,
  reason: SignOutReason = 'signed_out',
): void {
  const authorization = auth.authorization();
  auth.clear(reason);
  if (authorization) call('POST /logout', { authorization, keepalive: true }).catch(() => undefined);
}
