import type { AuthStore } from '../../api/session/auth-store.ts';
import type { Router } from '../../navigation/router.ts';
import { signInPath } from '../guards/next-path.ts';

/**
 * Navigates when a sign-in starts or ends, for any reason and in any tab. The end of a sign-in leads to /login, and
 * from there back to the client's page.
 */
export function followSignIn(auth: AuthStore, router: Router): () => void {
  let token = auth.get()?.access_token;
  return auth.subscribe(() => {
    const before = token;
    token = auth.get()?.access_token;
    if (token === before) return;
    if (token) {
      void router.load();
      return;
    }
    void router.open(signInPath(router.place().href), { replace: true });
  });
}
