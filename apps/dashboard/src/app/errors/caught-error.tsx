import { Button } from '@keyturn/ui/base/button.tsx';
import { lazy, Suspense, useEffect } from 'react';
import { NotFound } from '../../navigation/outcomes.ts';
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
    const onOnline = () => void reload();
    addEventListener('online', onOnline);
    return () => removeEventListener('online', onOnline);
  }, []);
  return (
    <ErrorPage
      {...(navigator.onLine === false ? offline : missingScreen)}
      action={<Button onClick={() => void reload()}>Try again</Button>}
    />
  );
}

/** A reload must not end on the browser’s own error page. A network that has just come back may fail at first. */
async function reload(attempts = 4): Promise<void> {
  try {
    await fetch('/', { method: 'HEAD' });
    window.location.reload();
  } catch {
    if (attempts > 1) setTimeout(() => void reload(attempts - 1), 2_000);
  }
}
