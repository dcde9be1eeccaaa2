/**
 * Runs some work now and again, one run at a time; what fails is told and tried again.
 * @param every milliseconds between two runs
 */
export function repeat(every: number, work: () => Promise<void>, onError: (error: unknown) => void) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let stopped = false;
  const run = () => {
    running = work()
      .catch(onError)
      .then(() => {
        if (!stopped) timer = setTimeout(run, every);
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
