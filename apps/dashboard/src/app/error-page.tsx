import { type ErrorComponentProps, useLocation, useRouter } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useServices } from '../api/services.ts';
import { Brand } from '../ui/brand.tsx';
import { Button } from '../ui/button.tsx';
import styles from './error-page.module.css';
import { type ErrorWords, errorWords, wordsForError } from './error-words.ts';

/** Loaded where it is shown: most errors have no end to tell. */
const MaintenanceEnd = lazy(() =>
  import('./maintenance-end.tsx').then((module) => ({ default: module.MaintenanceEnd })),
);

/** The page for whatever cannot be shown, with a way on. */
export function ErrorPage(props: ErrorWords) {
  const { statusCode, statusTitle, message, until } = errorWords(props);
  const router = useRouter();
  const { config } = useServices();
  const goBack = () => {
    // The start page itself failed: only a fresh load can help.
    if (router.state.location.pathname === '/') window.location.reload();
    else void router.navigate({ to: '/' });
  };
  return (
    <main className={styles.page} id="main">
      <p className={styles.firm}>
        <Brand name={config.firm?.name ?? config.product_name} />
      </p>
      <p className={styles.code}>{statusCode}</p>
      <h1 tabIndex={-1}>{statusTitle}</h1>
      <p className={styles.message}>{message}</p>
      {until && (
        <Suspense>
          <MaintenanceEnd until={until} />
        </Suspense>
      )}
      <Button onClick={goBack}>Go Back</Button>
    </main>
  );
}

/** For a path that no route has, and for one whose parameters name nothing. */
export function NotFoundPage({ data }: { data?: unknown }) {
  const { pathname } = useLocation();
  const { message = `Page not found: ${pathname}` } = (data ?? {}) as { message?: string };
  return <ErrorPage statusCode={404} message={message} />;
}

/** For what was thrown while a screen loaded or drew itself. */
export function ErrorPageFor({ error }: Pick<ErrorComponentProps, 'error'>) {
  return <ErrorPage {...wordsForError(error)} />;
}
