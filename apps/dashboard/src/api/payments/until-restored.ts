/**
 * Resolves when the browser shows this page again from its back/forward cache, after another page was opened in its
 * place. After a reload of the page it never resolves.
 */
export const untilRestored = (): Promise<void> =>
  new Promise((resolve) => {
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      removeEventListener('pageshow', onPageShow);
      resolve();
    };
    addEventListener('pageshow', onPageShow);
  });

/** The URL to which a bank's page redirects. */
export const returnAddress = (): string => `${location.origin}/payment`;
