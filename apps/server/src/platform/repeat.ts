import { setTimeout as pause } from 'node:timers/promises';

export interface RepeatOptions {
  /** Milliseconds between the end of a run and the next one. */
  interval: number;
  /** @param signal aborted once the work has to stop at the next opportunity */
  work(signal: AbortSignal): Promise<void>;
  /** Called with the failure of a run, unless it was stopped. */
  onError(error: unknown): void;
  /** Milliseconds that a stop waits for a run in progress. */
  stopTimeout?: number;
}

/** Runs work repeatedly, one run at a time, even after a run has failed. */
export function repeat({ interval, work, onError, stopTimeout = 4_000 }: RepeatOptions) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = () => {
    running = work(signal)
      .catch((error: unknown) => {
        if (!signal.aborted) onError(error);
      })
      .then(() => {
        if (!signal.aborted) timer = setTimeout(run, interval);
      });
  };
  return {
    start: run,
    stop: async () => {
      stopping.abort();
      clearTimeout(timer);
      await Promise.race([running, pause(stopTimeout, undefined, { ref: false })]);
    },
  };
}
