import { Brand } from '@keyturn/ui/base/brand.tsx';
import { Button } from '@keyturn/ui/base/button.tsx';
import { lazy, type ReactNode, Suspense, useEffect, useSyncExternalStore } from 'react';
import { type Services, useServices } from '../../api/services/services.ts';
import { useRouter } from '../../navigation/navigation.tsx';
import type { Router } from '../../navigation/router.ts';
import { HelpLine } from '../../ui/content/help-line.tsx';
import { setPageTitle } from '../layouts/page-title.ts';
import { type ErrorContent, errorContent } from './error-content.ts';
import styles from './error-page.module.css';

/** Loaded on demand: most errors have no expected end. */
const MaintenanceEnd = lazy(() =>
  import('./maintenance-end.tsx').then((module) => ({ default: module.MaintenanceEnd })),
);

export interface ErrorPageProps extends ErrorContent {
  /** Shown before the button that goes back. */
  action?: ReactNode;
}

/** Shows an error as a whole page. */
export function ErrorPage(props: ErrorPageProps) {
  const { config } = useServices();
  return (
    <main className={styles.page} id="main">
      <p className={styles.firm}>
        <Brand name={config.firm?.name ?? config.product_name} />
      </p>
      <ErrorSection {...props} />
    </main>
  );
}

/** Shows an error in the place of a screen, with the navigation around it. */
export function ErrorSection({ action, ...content }: ErrorPageProps) {
  const { statusCode, statusTitle, message, until } = errorContent(content);
  const router = useRouter();
  const services = useServices();
  const { firm } = services.config;
  // The server sends this page as HTML; its button does nothing until the dashboard has started.
  const isInteractive = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
  useEffect(() => setPageTitle(statusTitle, services.config), [statusTitle, services]);
  return (
    <div className={styles.error}>
      {statusCode !== null && <p className={styles.code}>{statusCode}</p>}
      <h1 tabIndex={-1}>{statusTitle}</h1>
      <p className={styles.message}>{message}</p>
      {until && (
        <Suspense>
          <MaintenanceEnd until={until} />
        </Suspense>
      )}
      <div className={styles.actions}>
        {action}
        <Button
          look={action ? 'quiet' : 'primary'}
          disabled={!isInteractive}
          onClick={() => goBack(router, services)}
        >
          Go Back
        </Button>
        <noscript>{import.meta.env.SSR && <a href="/">Go to the home page</a>}</noscript>
      </div>
      {firm && <HelpLine firm={firm} />}
    </div>
  );
}

const neverChanges = () => () => undefined;

/** Goes to the home page. During maintenance it is closed too, so the page is remembered until the maintenance ends. */
function goBack(router: Router, { maintenance, auth }: Services): void {
  const { pathname, href } = router.place();
  if (maintenance.get().general) {
    void maintenance.refresh();
    if (pathname !== '/' && auth.get()) void router.open('/', { state: { returnTo: href } });
  } else if (pathname === '/') {
    // The home page itself failed, so navigating to it would not help.
    window.location.reload();
  } else void router.open('/');
}
