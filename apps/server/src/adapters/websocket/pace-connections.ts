import type { ChannelIntervals } from './intervals.ts';

/** Opens connections at a limited rate, in the order in which they arrive. */
export interface ConnectionPacer {
  /** Opens a connection now or, if many arrive at the same time, when its turn comes. */
  add(address: string, open: () => void): void;
  /** Returns the number of connections that wait: all of them, or those from an IP address. */
  waiting(address?: string): number;
  /** Opens all waiting connections; each checks whether the server still accepts it. */
  stop(): void;
}

export type PacerOptions = Pick<ChannelIntervals, 'openBatch' | 'openInterval'>;

/**
 * Creates a pacer. After another server was killed, thousands of clients connect at the same moment, and each then
 * authorises its channels. If all were opened immediately, all other requests would have to wait for them. While the
 * event loop lags, fewer are opened.
 */
export function createConnectionPacer({ openBatch, openInterval }: PacerOptions): ConnectionPacer {
  const waiting: { address: string; open: () => void }[] = [];
  const byAddress = new Map<string, number>();
  let left = openBatch;
  let timer: NodeJS.Timeout | undefined;

  const count = (address: string, change: 1 | -1) => {
    const changed = (byAddress.get(address) ?? 0) + change;
    if (changed > 0) byAddress.set(address, changed);
    else byAddress.delete(address);
  };
  const startPeriod = () => {
    const startedAt = performance.now();
    timer = setTimeout(() => endPeriod(performance.now() - startedAt), openInterval);
    timer.unref();
  };
  const endPeriod = (duration: number) => {
    timer = undefined;
    // In proportion to the time that has passed: otherwise a busy server would open them ever more slowly.
    const periods = Math.min(duration, maxPeriod) / openInterval;
    left = Math.max(1, Math.round(openBatch * periods * (periods > 2 ? shareWhileLagging : 1)));
    const next = waiting.splice(0, left);
    left -= next.length;
    if (next.length > 0) startPeriod();
    else left = openBatch;
    for (const { address, open } of next) {
      count(address, -1);
      open();
    }
  };

  return {
    add: (address, open) => {
      if (!timer) startPeriod();
      if (left > 0) {
        left -= 1;
        open();
      } else {
        waiting.push({ address, open });
        count(address, 1);
      }
    },
    waiting: (address) => (address === undefined ? waiting.length : (byAddress.get(address) ?? 0)),
    stop: () => {
      clearTimeout(timer);
      byAddress.clear();
      for (const { open } of waiting.splice(0)) open();
    },
  };
}

/** Milliseconds. */
const maxPeriod = 1_000;
const shareWhileLagging = 5 / 8;
