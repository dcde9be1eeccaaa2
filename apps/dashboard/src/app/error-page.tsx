import { type ErrorComponentProps, useLocation, useRouter } from '@tanstack/react-router';
import { ApiError } from '../api/api-error.ts';
import { useServices } from '../api/services.ts';
import { Brand } from '../ui/brand.tsx';
import { Button } from '../ui/button.tsx';
import styles from './error-page.module.css';

export interface ErrorPageProps {
  statusCode?: number;
  /** Only what stands before a question mark is shown. */
  statusTitle?: string;
  message?: string;
}

/** The page for whatever cannot be shown, with a way on. */
export function ErrorPage({ statusCode = 503, statusTitle = titleOf(statusCode), message }: ErrorPageProps) {
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
      <h1 tabIndex={-1}>{statusTitle.split('?')[0]}</h1>
      <p className={styles.message}>{message ?? defaultMessages[statusCode] ?? defaultMessages[500]}</p>
      <Button onClick={goBack}>Go Back</Button>
    </main>
  );
}

/** For a path that no route has. */
export function NotFoundPage() {
  const { pathname } = useLocation();
  return <ErrorPage statusCode={404} message={`Page not found: ${pathname}`} />;
}

/** For what was thrown while a screen loaded or drew itself. */
export function ErrorPageFor({ error }: Pick<ErrorComponentProps, 'error'>) {
  if (error instanceof ApiError) return <ErrorPage statusCode={error.status} message={error.message} />;
  return <ErrorPage statusCode={500} />;
}

const defaultMessages: Record<number, string> = {
  404: 'The page you are looking for does not exist.',
  500: 'An unexpected error has occurred.',
  503: 'We are currently in maintenance, please try again later.',
};

const titles: Record<number, string> = {
  404: 'Not Found',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

const titleOf = (statusCode: number) => titles[statusCode] ?? 'Service Unavailable';
