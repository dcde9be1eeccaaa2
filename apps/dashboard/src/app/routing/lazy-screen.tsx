import { type FunctionComponent, type ReactNode, use } from 'react';

/**
 * Creates a component for a screen in its own chunk. A failed load is thrown when the component renders, for the error
 * page to handle, and retried when the client navigates to the screen again.
 */
export function lazyScreen<Name extends string>(
  load: () => Promise<Record<Name, FunctionComponent>>,
  name: Name,
): (() => ReactNode) & { preload(): Promise<void> } {
  let Screen: FunctionComponent | undefined;
  let failure: unknown;
  let loading: Promise<void> | undefined;
  const preload = () => {
    if (!loading) failure = undefined;
    loading ??= load().then(
      (module) => {
        Screen = module[name];
      },
      (error: unknown) => {
        failure = error;
        loading = undefined;
      },
    );
    return loading;
  };
  const renderScreen = () => {
    if (failure) throw failure;
    if (!Screen) use(preload());
    return Screen && <Screen />;
  };
  return Object.assign(renderScreen, { preload });
}
