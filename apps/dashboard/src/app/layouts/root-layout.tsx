import { ErrorBoundary } from '@keyturn/ui/states/error-boundary.tsx';
import { startTransition, useEffect, useLayoutEffect, useState } from 'react';
import { useServices } from '../../api/services/services.ts';
import { Navigation } from '../../navigation/navigation.tsx';
import { NotFound } from '../../navigation/outcomes.ts';
import { matchPath } from '../../navigation/paths.ts';
import type { Page, Router } from '../../navigation/router.ts';
import { CaughtError } from '../errors/caught-error.tsx';
import { ClosedArea, isClosedArea } from '../errors/closed-area.tsx';
import { layouts, screens } from '../routing/screens.ts';
import { setPageTitle } from './page-title.ts';
import { PendingPage } from './pending-page.tsx';

/** The root of every screen. Titles the page, and focuses the heading after a navigation for screen readers. */
export function RootLayout({ router }: { router: Router }) {
  const { config } = useServices();
  const [{ page, isSlow }, show] = useState(router.state);
  useEffect(() => {
    // A transition, so that the earlier screen stays usable while React renders the next one.
    const showLatest = () => startTransition(() => show(router.state()));
    showLatest();
    return router.onState(showLatest);
  }, [router]);
  // A layout effect, so that an error page, which sets its title in an effect, comes later.
  useLayoutEffect(() => {
    // A page that redirects is never shown, nor is one that the client has left before it was rendered.
    if (!page || isSlow || page.place !== router.place()) return;
    const before = router.shown();
    // Error pages set their own title.
    if (page.match && page.error === undefined) setPageTitle(page.match.entry.title, config);
    router.recordShown(page);
    if (!before || before.place.pathname === page.place.pathname) return;
    const heading = document.querySelector<HTMLElement>('main h1[tabindex]');
    (heading ?? document.querySelector('main'))?.focus({ preventScroll: true });
  }, [router, page, isSlow, config]);
  return (
    <Navigation router={router} page={page}>
      <ErrorBoundary
        key={isSlow ? 'slow' : 'page'}
        page={page}
        fallback={(error) => <CaughtError error={error} />}
      >
        {isSlow ? <SlowPage page={page} router={router} /> : page && <PageContent page={page} />}
      </ErrorBoundary>
    </Navigation>
  );
}

function PageContent({ page: { match, error } }: { page: Page }) {
  if (error instanceof NotFound) return <CaughtError error={error} />;
  // Except for a closed area, the error boundary replaces the whole page.
  if (!match || (error !== undefined && !isClosedArea(error))) throw error;
  const Layout = layouts[match.entry.layout];
  const Screen = screens[match.name];
  return <Layout>{error === undefined ? <Screen /> : <ClosedArea error={error} />}</Layout>;
}

/** The navigation stays if the next screen has it too. */
function SlowPage({ page, router }: { page: Page | null; router: Router }) {
  const layout = page?.match?.entry.layout;
  const isKept =
    layout !== undefined &&
    page?.error === undefined &&
    matchPath(router.place().pathname)?.entry.layout === layout;
  const Layout = isKept ? layouts[layout] : null;
  return Layout ? (
    <Layout>
      <PendingPage />
    </Layout>
  ) : (
    <PendingPage />
  );
}
