import type { AuthStore } from '../../api/session/auth-store.ts';
import { nextPath } from '../guards/next-path.ts';
import type { AppRouter } from '../routing/router.tsx';

/**
 * Navigates when a sign-in starts or ends, for whatever reason and in whichever tab. The end of a sign-in leads to
 * /login, and from there back to where the client was.
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
