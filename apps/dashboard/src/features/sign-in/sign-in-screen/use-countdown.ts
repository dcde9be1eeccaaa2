import { useEffect, useState } from 'react';

/**
 * Counts down whole seconds to 0.
 * @returns the seconds left, null while no countdown runs, and a function that starts one; 0 stops it
 */
export function useCountdown(): [secondsLeft: number | null, startCountdown: (seconds: number) => void] {
  const [until, setUntil] = useState<number | null>(null);
  const [now, setNow] = useState(0);
  useEffect(() => {
    if (until === null) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [until]);
  const startCountdown = (seconds: number) => {
    setNow(Date.now());
    setUntil(seconds > 0 ? Date.now() + seconds * 1_000 : null);
  };
  return [until === null ? null : Math.max(0, Math.ceil((until - now) / 1_000)), startCountdown];
}
