import { useEffect, useEffectEvent, useState } from 'react';
import { useRouter } from './navigation.tsx';

/**
 * Stops navigations to another path while there is something to lose.
 * @param mustAsk whether there is, at the time of a navigation
 * @returns `leave` continues with the navigation that was stopped; null if none was
 */
export function useAskBeforeLeaving(mustAsk: () => boolean): { leave: (() => void) | null; stay(): void } {
  const router = useRouter();
  const [stopped, setStopped] = useState<{ leave(): void } | null>(null);
  const ask = useEffectEvent((pathname: string, leave: () => void) => {
    const isStopped = mustAsk() && pathname !== router.place().pathname;
    if (isStopped) setStopped({ leave });
    return isStopped;
  });
  useEffect(() => router.askBeforeLeaving(({ pathname }, leave) => ask(pathname, leave)), [router]);
  const askBeforeUnload = useEffectEvent((event: BeforeUnloadEvent) => {
    if (mustAsk()) event.preventDefault();
  });
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent) => askBeforeUnload(event);
    addEventListener('beforeunload', onUnload);
    return () => removeEventListener('beforeunload', onUnload);
  }, []);
  const stay = () => setStopped(null);
  const leave = () => {
    stay();
    stopped?.leave();
  };
  return { leave: stopped && leave, stay };
}
