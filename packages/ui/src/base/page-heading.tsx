import type { ReactNode } from 'react';

/** The heading of a screen. It receives the focus after a navigation, so that screen readers announce the screen. */
export function PageHeading({ children, id }: { children: ReactNode; id?: string }) {
  return (
    <h1 id={id} tabIndex={-1}>
      {children}
    </h1>
  );
}
