import { useCallback, useSyncExternalStore } from 'react';

/** Returns whether a media query such as "(max-width: 900px)" matches. Use it only where CSS is not enough. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}
