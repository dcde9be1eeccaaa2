import { Outlet, useRouter } from '@tanstack/react-router';
import { useLayoutEffect } from 'react';
import { useServices } from '../../api/services/services.ts';
import { setPageTitle } from './page-title.ts';

/** The root of every screen. Titles the page, and focuses the heading after a navigation for screen readers. */
export function RootLayout() {
  const router = useRouter();
  const { config } = useServices();
  // A layout effect, so that an error page, which sets its title in an effect, comes later.
  useLayoutEffect(() => {
    const showTitle = () => {
      const matches: { status: string; globalNotFound?: boolean; staticData: { title?: string } }[] =
        router.state.matches;
      const title = matches.at(-1)?.staticData.title;
      // Error pages set their own title.
      if (title && matches.every(({ status, globalNotFound }) => status === 'success' && !globalNotFound))
        setPageTitle(title, config);
    };
    showTitle();
    return router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
      showTitle();
      if (!pathChanged || !fromLocation) return;
      const heading = document.querySelector<HTMLElement>('main h1[tabindex]');
      (heading ?? document.querySelector('main'))?.focus({ preventScroll: true });
    });
  }, [router, config]);
  return <Outlet />;
}
