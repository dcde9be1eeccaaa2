import type { ErrorComponentProps } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { Button } from '../../ui/base/button.tsx';
import { PendingPage } from '../layouts/pending-page.tsx';
import { contentForError, isMissingChunk } from './error-content.ts';
import { ErrorPage } from './error-page.tsx';

/** The recovery screen is a chunk too, so it may fail to load for the same reason. */
const FailedScreen = lazy(() =>
  import('./failed-screen.tsx').then(
    (module) => ({ default: module.FailedScreen }),
    () => ({ default: ReloadPage }),
  ),
);

/** Replaces a screen that threw an error while loading or rendering. */
export function CaughtError({ error }: Pick<ErrorComponentProps, 'error'>) {
  if (!isMissingChunk(error)) return <ErrorPage {...contentForError(error)} />;
  return (
    <Suspense fallback={<PendingPage />}>
      <FailedScreen error={error} />
    </Suspense>
  );
}

function ReloadPage() {
  const reload = <Button onClick={() => window.location.reload()}>Reload</Button>;
  return <ErrorPage message="We couldn’t load this page." action={reload} />;
}
