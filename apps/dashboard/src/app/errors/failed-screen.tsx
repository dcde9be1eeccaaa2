import { useEffect, useState } from 'react';
import { localFailure } from '../../api/client/api-error.ts';
import type { ScreenFailure } from '../../api/services/delivery.ts';
import { useServices } from '../../api/services/services.ts';
import { Button } from '../../ui/base/button.tsx';
import { PendingPage } from '../layouts/pending-page.tsx';
import type { ErrorContent } from './error-content.ts';
import { ErrorPage } from './error-page.tsx';

/**
 * In place of a screen that did not arrive: its page is loaded anew where that may be done unasked, and else it is said
 * why not, with the way to do it.
 */
export function FailedScreen({ error }: { error: unknown }) {
  const { delivery } = useServices();
  const [found, setFound] = useState<{ error: unknown; failure: ScreenFailure } | null>(null);
  const [isTrying, setIsTrying] = useState(false);
  // What was found out about another error says nothing of this one.
  const failure = found && found.error === error ? found.failure : null;
  useEffect(() => {
    let isHere = true;
    void delivery
      .start()
      .then((started) => started.recoverFromFailure())
      .catch(() => 'gone' as const)
      .then((failure) => isHere && setFound({ error, failure }));
    return () => {
      isHere = false;
    };
  }, [delivery, error]);

  const tryAgain = async () => {
    setIsTrying(true);
    const started = await delivery.start().catch(() => null);
    // What loads the page anew is missing as well: this build is gone from the server.
    if (!started && navigator.onLine !== false) window.location.reload();
    setFound({ error, failure: (await started?.reloadPage()) ?? 'gone' });
    setIsTrying(false);
  };
  // Back online: as if it had failed only now, so that it is not done again and again.
  useEffect(() => {
    if (failure !== 'offline') return undefined;
    const onOnline = () =>
      void delivery.current?.recoverFromFailure().then((failure) => setFound({ error, failure }));
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  }, [failure, delivery, error]);

  // What took the place of the screen is read out like a screen.
  useEffect(() => {
    if (failure !== null) document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  }, [failure]);

  if (failure === null) return <PendingPage />;
  const asks = failure.endsWith('-at-risk');
  return (
    <ErrorPage
      {...words[failure]}
      action={
        <Button busy={isTrying} busyText="Trying…" onClick={() => void tryAgain()}>
          {asks ? 'Load it again' : 'Try again'}
        </Button>
      }
    />
  );
}

const words: Record<ScreenFailure, ErrorContent> = {
  offline: {
    statusCode: null,
    statusTitle: 'You are offline',
    message: 'This page could not be fetched. It opens by itself once you are connected again.',
  },
  unreachable: { message: localFailure('unreachable').message },
  'entries-at-risk': {
    statusCode: null,
    statusTitle: 'This page has to be loaded again',
    message:
      'It may have been renewed since you opened it. What you have entered and not sent may have to be entered again.',
  },
  'payment-at-risk': {
    statusCode: null,
    statusTitle: 'This page has to be loaded again',
    message:
      'You were paying. Load it to see how your payment stands, and do not pay again before you have seen that.',
  },
  'sign-in-at-risk': {
    statusCode: null,
    statusTitle: 'This page has to be loaded again',
    message:
      'It may have been renewed since you opened it. Your browser keeps nothing for us, so you will be asked to sign in again.',
  },
  gone: { message: 'This page could not be loaded. Check your connection and try again.' },
};
