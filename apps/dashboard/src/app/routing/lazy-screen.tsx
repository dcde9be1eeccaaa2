import type { FunctionComponent, ReactNode } from 'react';

/** A component in its own chunk. It is rendered once `preload` has resolved. */
export type LazyScreen = FunctionComponent<{ children?: ReactNode }> & { preload(): Promise<void> };

/**
 * Creates a component for a screen in its own chunk. A failed load is thrown when the component renders, for the error
 * page to handle, and retried when the client navigates to the screen again.
 */
export function lazyScreen(
  load: () => Promise<{ default: FunctionComponent<{ children: ReactNode }> }>,
): LazyScreen {
  let Screen: FunctionComponent<{ children: ReactNode }> | undefined;
  let failure: unknown;
  let loading: Promise<void> | undefined;
  const preload = () => {
    if (!loading) failure = undefined;
    loading ??= load().then(
      (module) => {
        Screen = module.default;
      },
      (error: unknown) => {
        failure = error;
        loading = undefined;
      },
    );
    return loading;
  };
  const renderScreen = ({ children }: { children?: ReactNode }) => {
    if (failure) throw failure;
    return Screen && <Screen>{children}</Screen>;
  };
  return Object.assign(renderScreen, { preload });
}
