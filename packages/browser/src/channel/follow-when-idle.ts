/** The time, in milliseconds, after which code that could not be loaded is loaded again. */
const retryAfter = 30_000;

/**
 * Follows the real-time channel once the page is idle, so that the first view does not wait for the library.
 * @param load loads the code, and returns a function that starts to follow, and returns another one that stops
 * @returns a function that stops
 */
export function followWhenIdle(load: () => Promise<() => () => void>): () => void {
  let isStopped = false;
  let stop = () => {};
  let timer: ReturnType<typeof setTimeout>;
  const attempt = () => {
    load().then(
      (start) => {
        if (!isStopped) stop = start();
      },
      () => {
        if (!isStopped) timer = setTimeout(attempt, retryAfter);
      },
    );
  };
  const cancel = whenIdle(attempt);
  return () => {
    isStopped = true;
    cancel();
    clearTimeout(timer);
    stop();
  };
}

/** Runs work once the page is idle; Safari has no requestIdleCallback. @returns a function that cancels it */
function whenIdle(start: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(start, 500);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(start, { timeout: 3_000 });
  return () => cancelIdleCallback(handle);
}
