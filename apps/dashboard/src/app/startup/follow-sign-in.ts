import type { AuthStore } from '../../api/session/auth-store.ts';
import { nextPath } from '../guards/next-path.ts';
import type { AppRouter } from '../routing/router.tsx';

/**
 * Whatever ends or starts a sign-in, here or in another tab, a 401 or the token's expiry: the screen follows. A sign-in
 * that ended leads to /login and back to where the client was; a new one past the guest guard.
 */
export function followSignIn(auth: AuthStore, router: AppRouter): () => void {
  let token = auth.get()?.access_token;
  return auth.subscribe(() => {
    const before = token;
    token = auth.get()?.access_token;
    if (token === before) return;
    if (token) {
      void router.invalidate();
      return;
    }
    const next = nextPath(router.state.location.href);
    void router.navigate({ to: '/login', search: next === '/' ? {} : { next }, replace: true });
  });
}
