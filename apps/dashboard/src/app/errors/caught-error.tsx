import type { ErrorComponentProps } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { Button } from '../../ui/base/button.tsx';
import { PendingPage } from '../layouts/pending-page.tsx';
import { contentForError, isMissingChunk } from './error-content.ts';
import { ErrorPage } from './error-page.tsx';

/** What helps with a screen that did not arrive may be missing as well. */
const FailedScreen = lazy(() =>
  import('./failed-screen.tsx').then(
    (module) => ({ default: module.FailedScreen }),
    () => ({ default: LoadAgain }),
  ),
);

/** For what was thrown while a screen loaded or drew itself. */
export function CaughtError({ error }: Pick<ErrorComponentProps, 'error'>) {
  if (!isMissingChunk(error)) return <ErrorPage {...contentForError(error)} />;
  return (
    <Suspense fallback={<PendingPage />}>
      <FailedScreen error={error} />
    </Suspense>
  );
}

function LoadAgain() {
  const again = <Button onClick={() => window.location.reload()}>Load it again</Button>;
  return <ErrorPage message="This page could not be loaded." action={again} />;
}
