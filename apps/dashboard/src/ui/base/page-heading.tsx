import type { ReactNode } from 'react';

/** The heading of a screen: it takes the focus after a change of screen, so that the change is read out. */
export function PageHeading({ children, id }: { children: ReactNode; id?: string }) {
  return (
    <h1 id={id} tabIndex={-1}>
      {children}
    </h1>
  );
}
