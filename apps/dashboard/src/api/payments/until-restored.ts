/**
 * Resolves when the browser shows this page again from its back/forward cache, after another page was opened in its place.
 * A page that is loaded again does not come back here.
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

/** Where a bank's page leads back to. */
export const returnAddress = (): string => `${location.origin}/payment`;
