import { useEffect, useState } from 'react';

/** Seconds left, down to 0; null while nothing is waited for. `waitFor` starts it, with 0 ends it. */
export function useCountdown(): [secondsLeft: number | null, waitFor: (seconds: number) => void] {
  const [until, setUntil] = useState<number | null>(null);
  const [now, setNow] = useState(0);
  useEffect(() => {
    if (until === null) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [until]);
  const waitFor = (seconds: number) => {
    setNow(Date.now());
    setUntil(seconds > 0 ? Date.now() + seconds * 1_000 : null);
  };
  return [until === null ? null : Math.max(0, Math.ceil((until - now) / 1_000)), waitFor];
}
