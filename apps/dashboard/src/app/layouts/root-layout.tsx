import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** The root of every screen. Focuses the heading after a navigation, so that screen readers announce the new screen. */
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
