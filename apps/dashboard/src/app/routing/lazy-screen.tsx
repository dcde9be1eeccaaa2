import { type FunctionComponent, type ReactNode, use } from 'react';

/**
 * A screen in a chunk of its own. One that did not arrive is thrown where the screen would be, and asked for again when
 * the client comes back to it; what to do about it is the error page's.
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
  const show = () => {
    if (failure) throw failure;
    if (!Screen) use(preload());
    return Screen && <Screen />;
  };
  return Object.assign(show, { preload });
}
