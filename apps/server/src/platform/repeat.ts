/**
 * Runs work repeatedly, one run at a time, even after a run has failed.
 * @param interval milliseconds between the end of a run and the next one
 */
export function repeat(interval: number, work: () => Promise<void>, onError: (error: unknown) => void) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let stopped = false;
  const run = () => {
    running = work()
      .catch(onError)
      .then(() => {
        if (!stopped) timer = setTimeout(run, interval);
      });
  };
  return {
    start: run,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
