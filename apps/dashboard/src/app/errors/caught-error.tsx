import { lazy, Suspense, useEffect } from 'react';
import { NotFound } from '../../navigation/outcomes.ts';
import { Button } from '../../ui/base/button.tsx';
import { PendingPage } from '../layouts/pending-page.tsx';
import { contentForError, isMissingChunk, missingScreen, offline } from './error-content.ts';
import { ErrorPage } from './error-page.tsx';

/** The recovery screen is a chunk too, so it may fail to load for the same reason. */
const FailedScreen = lazy(() =>
  import('./failed-screen.tsx').then(
    (module) => ({ default: module.FailedScreen }),
    () => ({ default: ReloadPage }),
  ),
);

/** Replaces a screen that threw an error while loading or rendering. */
export function CaughtError({ error }: { error: unknown }) {
  if (error instanceof NotFound) return <ErrorPage statusCode={404} message={error.shownText} />;
  if (!isMissingChunk(error)) return <ErrorPage {...contentForError(error)} />;
  return (
    <Suspense fallback={<PendingPage />}>
      <FailedScreen error={error} />
    </Suspense>
  );
}

function ReloadPage() {
  useEffect(() => {
    addEventListener('online', reload);
    return () => removeEventListener('online', reload);
  }, []);
  return (
    <ErrorPage
      {...(navigator.onLine === false ? offline : missingScreen)}
      action={<Button onClick={reload}>Try again</Button>}
    />
  );
}

/** A reload must not end on the browser’s own error page. */
const reload = () =>
  void fetch('/', { method: 'HEAD' }).then(
    () => window.location.reload(),
    () => undefined,
  );
