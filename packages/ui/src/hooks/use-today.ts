import { londonDay } from '@keyturn/format/london-time';
import { useSyncExternalStore } from 'react';

/** Returns today's date in London, and updates at midnight. */
export function useToday(): string {
  return useSyncExternalStore(everyMinute, day, day);
}

/** Returns a text for the current time, and updates it within a minute of a change. */
export function useTextNow(textAt: (now: Date) => string): string {
  const text = () => textAt(new Date());
  return useSyncExternalStore(everyMinute, text, text);
}

const day = () => londonDay(new Date());

function everyMinute(listener: () => void) {
  const timer = setInterval(listener, 60_000);
  document.addEventListener('visibilitychange', listener);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', listener);
  };
}
