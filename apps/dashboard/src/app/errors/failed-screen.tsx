import { localFailure } from '@keyturn/browser/calls/api-error.ts';
import { Button } from '@keyturn/ui/base/button.tsx';
import { useEffect, useState } from 'react';
import type { ScreenFailure } from '../../api/services/delivery.ts';
import { useServices } from '../../api/services/services.ts';
import { useRouter } from '../../navigation/navigation.tsx';
import { PendingPage } from '../layouts/pending-page.tsx';
import { type ErrorContent, missingScreen, offline } from './error-content.ts';
import { ErrorPage } from './error-page.tsx';

/**
 * Replaces a screen that failed to load. Reloads the page where that is safe; otherwise explains why not and offers a
 * button to do it.
 */
export function FailedScreen({ error }: { error: unknown }) {
  const { delivery } = useServices();
  const router = useRouter();
  const [result, setResult] = useState<{ error: unknown; failure: ScreenFailure } | null>(null);
  const [isTrying, setIsTrying] = useState(false);
  // A result for an earlier error does not apply to this one.
  const failure = result && result.error === error ? result.failure : null;
  useEffect(() => {
    let isMounted = true;
    const recover = () =>
      void delivery
        .start()
        .then((started) => started.recoverFromFailure())
        .catch(() => 'gone' as const)
        .then((failure) => isMounted && setResult({ error, failure }));
    // While the client leaves, the address is no longer that of the screen that failed.
    const unsubscribe = router.isLoading() ? router.onShown(recover) : recover();
    return () => {
      isMounted = false;
      unsubscribe?.();
    };
  }, [delivery, router, error]);

  const tryAgain = async () => {
    setIsTrying(true);
    const started = await delivery.start().catch(() => null);
    // The recovery code is missing too: the server no longer has this build.
    if (!started && navigator.onLine !== false) window.location.reload();
    setResult({ error, failure: (await started?.reloadPage()) ?? 'gone' });
    setIsTrying(false);
  };
  // Recover as after a new failure, so that the limit on automatic reloads applies.
  useEffect(() => {
    if (failure !== 'offline') return undefined;
    const onOnline = () =>
      void delivery.current?.recoverFromFailure().then((failure) => setResult({ error, failure }));
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  }, [failure, delivery, error]);

  // Screen readers announce this page like any other screen.
  useEffect(() => {
    if (failure !== null) document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  }, [failure]);

  if (failure === null) return <PendingPage />;
  const needsConsent = failure.endsWith('-at-risk');
  return (
    <ErrorPage
      {...content[failure]}
      action={
        <Button busy={isTrying} busyText="Trying…" onClick={() => void tryAgain()}>
          {needsConsent ? 'Reload' : 'Try again'}
        </Button>
      }
    />
  );
}

const content: Record<ScreenFailure, ErrorContent> = {
  offline,
  unreachable: { ...missingScreen, message: localFailure('unreachable').message },
  'entries-at-risk': {
    statusCode: null,
    statusTitle: 'Please reload this page',
    message:
      'We may have updated it since you opened it. You may need to enter again anything that you haven’t sent.',
  },
  'payment-at-risk': {
    statusCode: null,
    statusTitle: 'Please reload this page',
    message:
      'You were making a payment. Reload to see its status, and don’t pay again until you’ve checked it.',
  },
  'sign-in-at-risk': {
    statusCode: null,
    statusTitle: 'Please reload this page',
    message:
      'We may have updated it since you opened it. Your browser doesn’t save your sign-in, so you’ll need to sign in again.',
  },
  gone: missingScreen,
};
