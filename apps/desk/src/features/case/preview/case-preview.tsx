import { useClient } from '@keyturn/dashboard/api/queries/use-client.ts';
import { useServices } from '@keyturn/dashboard/api/services/services.ts';
import { CaughtError } from '@keyturn/dashboard/app/errors/caught-error.tsx';
import { ConnectionNotice } from '@keyturn/dashboard/app/layouts/connection-notice.tsx';
import styles from '@keyturn/dashboard/app/layouts/default-layout.module.css';
import { DocumentsLink } from '@keyturn/dashboard/app/layouts/documents-link.tsx';
import { Link } from '@keyturn/dashboard/navigation/link.tsx';
import { Navigation } from '@keyturn/dashboard/navigation/navigation.tsx';
import type { Router } from '@keyturn/dashboard/navigation/router.ts';
import { Toast } from '@keyturn/dashboard/ui/overlays/toast.tsx';
import { Brand } from '@keyturn/ui/base/brand.tsx';
import { VisuallyHidden } from '@keyturn/ui/content/visually-hidden.tsx';
import { ErrorBoundary } from '@keyturn/ui/states/error-boundary.tsx';
import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react';
import { guardLinks } from './guard-links.ts';
import { previewScreen } from './preview-screens.ts';

/** The client’s screens in their usual frame, without the parts that need a sign-in. */
export function CasePreview({ router }: { router: Router }) {
  const [{ page }, show] = useState(router.state);
  useEffect(() => {
    const showLatest = () => show(router.state());
    showLatest();
    return router.onState(showLatest);
  }, [router]);
  useLayoutEffect(() => {
    if (!page) return;
    const before = router.shown();
    router.recordShown(page);
    if (!before || before.place.pathname === page.place.pathname) return;
    window.scrollTo(0, 0);
    document.querySelector<HTMLElement>('main h1[tabindex]')?.focus({ preventScroll: true });
  }, [router, page]);
  const Screen = page && previewScreen(page.place.pathname);
  return (
    <Navigation router={router} page={page}>
      <PreviewFrame>
        <ErrorBoundary page={page} fallback={(error) => <CaughtError error={error} />}>
          {Screen && <Screen />}
        </ErrorBoundary>
      </PreviewFrame>
    </Navigation>
  );
}

function PreviewFrame({ children }: { children: ReactNode }) {
  const { config } = useServices();
  const name = config.firm?.name ?? config.product_name;
  return (
    <div className={styles.frame}>
      <header className={styles.top}>
        <div className={styles.bar}>
          <Link className={styles.home} to="/">
            <Brand name={name} />
            <VisuallyHidden>, home</VisuallyHidden>
          </Link>
          <nav className={styles.nav} aria-label="Main">
            <NavigationLinks />
          </nav>
        </div>
      </header>
      <ConnectionNotice />
      <main className={styles.main} id="main" tabIndex={-1}>
        {children}
      </main>
      <UnavailableNotice />
      <nav className={styles.thumb} aria-label="Main">
        <NavigationLinks />
      </nav>
    </div>
  );
}

function NavigationLinks() {
  const conveyancingCase = useClient().data?.conveyancing_case;
  return (
    <>
      <Link to="/">Home</Link>
      <Link to="/milestones">Milestones</Link>
      <DocumentsLink conveyancingCase={conveyancingCase} />
      <Link to="/payments">Payments</Link>
    </>
  );
}

/** Explains why a link or button does nothing in the preview. */
function UnavailableNotice() {
  const [reason, setReason] = useState<string | null>(null);
  useEffect(() => guardLinks(document, setReason), []);
  return <Toast onDismiss={() => setReason(null)}>{reason}</Toast>;
}
