import type { AuthStore } from '../../api/session/auth-store.ts';
import { matchPath } from '../../navigation/paths.ts';
import type { Router } from '../../navigation/router.ts';
import { signInPath } from '../guards/next-path.ts';

/**
 * Navigates when a sign-in starts or ends, for any reason and in any tab. The end of a sign-in leads to /login, and
 * from there back to the client's page. A screen that needs no sign-in stays, such as that of a link in an email.
 */
export function followSignIn(auth: AuthStore, router: Router): () => void {
  let signIn = auth.credential();
  return auth.subscribe(() => {
    const before = signIn;
    signIn = auth.credential();
    if (signIn === before) return;
    if (signIn) {
      void router.load();
      return;
    }
    const { pathname, href } = router.place();
    const match = matchPath(pathname);
    if (match && !match.entry.guards.includes('authenticated')) return;
    void router.open(signInPath(href), { replace: true });
  });
}
