import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** Around every screen: after a change of screen its heading takes the focus, so that the change is read out. */
export function RootLayout() {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
        if (!pathChanged || !fromLocation) return;
        const heading = document.querySelector<HTMLElement>('main h1[tabindex]');
        (heading ?? document.querySelector('main'))?.focus({ preventScroll: true });
      }),
    [router],
  );
  return <Outlet />;
}
