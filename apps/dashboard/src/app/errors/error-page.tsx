import { useLocation, useRouter } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { useServices } from '../../api/services/services.ts';
import { Brand } from '../../ui/base/brand.tsx';
import { Button } from '../../ui/base/button.tsx';
import { type ErrorContent, errorContent } from './error-content.ts';
import styles from './error-page.module.css';

/** Loaded on demand: most errors have no expected end. */
const MaintenanceEnd = lazy(() =>
  import('./maintenance-end.tsx').then((module) => ({ default: module.MaintenanceEnd })),
);

/** Shows an error as a whole page. `action` is shown before the button that goes back. */
export function ErrorPage({ action, ...props }: ErrorContent & { action?: ReactNode }) {
  const { statusCode, statusTitle, message, until } = errorContent(props);
  const router = useRouter();
  const { config } = useServices();
  const goBack = () => {
    // The home page itself failed, so navigating to it would not help.
    if (router.state.location.pathname === '/') window.location.reload();
    else void router.navigate({ to: '/' });
  };
  return (
    <main className={styles.page} id="main">
      <p className={styles.firm}>
        <Brand name={config.firm?.name ?? config.product_name} />
      </p>
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
        <Button look={action ? 'quiet' : 'primary'} onClick={goBack}>
          Go Back
        </Button>
        <noscript>{import.meta.env.SSR && <a href="/">Go to the home page</a>}</noscript>
      </div>
    </main>
  );
}

/** For an unknown path, and for a path with invalid parameters. */
export function NotFoundPage({ data }: { data?: unknown }) {
  const { pathname } = useLocation();
  const { message = `Page not found: ${pathname}` } = (data ?? {}) as { message?: string };
  return <ErrorPage statusCode={404} message={message} />;
}
