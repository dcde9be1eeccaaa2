import { createContext, type ReactNode, use } from 'react';
import { Router as LinkRouter } from 'wouter';
import type { Path, Query } from './paths.ts';
import { withQuery } from './paths.ts';
import type { OpenOptions } from './places.ts';
import type { Page, Router } from './router.ts';

const RouterContext = createContext<Router | null>(null);
const PageContext = createContext<Page | null>(null);

/** Lets everything inside read the page that is shown, and navigate. */
export function Navigation({ router, page, children }: NavigationProps) {
  return (
    <RouterContext value={router}>
      <PageContext value={page}>
        <LinkRouter hook={useShownLocation}>{children}</LinkRouter>
      </PageContext>
    </RouterContext>
  );
}

interface NavigationProps {
  router: Router;
  page: Page | null;
  children: ReactNode;
}

export function useRouter(): Router {
  const router = use(RouterContext);
  if (!router) throw new Error('there is no Navigation around this component');
  return router;
}

/** Returns the path of the page that is shown. */
export const usePathname = (): string => use(PageContext)?.place.pathname ?? '';

/** Returns the parameters of the path, which the route table has checked. */
export const useParams = (): Record<string, string> => use(PageContext)?.match?.params ?? {};

/** Returns the parameters of the query. */
export const useQuery = (): URLSearchParams => new URLSearchParams(use(PageContext)?.place.search);

/** Returns a function that opens a screen, and resolves once it is shown. */
export function useNavigate() {
  const router = useRouter();
  return (to: Path, { query, ...options }: OpenOptions & { query?: Query } = {}) =>
    router.open(withQuery(to, query), options);
}

/** wouter’s links follow the page that is shown, which comes later than the address. */
function useShownLocation(): [string, Router['open']] {
  return [usePathname(), useRouter().open];
}
