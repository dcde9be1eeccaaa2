export interface EventLoopLag {
  /** Returns the lag that the last few measurements have in common, in milliseconds. */
  milliseconds(): number;
  stop(): void;
}

/**
 * Measures a few times a second how late a timer fires. A single delay, however long, is over by the time a request
 * arrives, so that the lag is the shortest of the last few delays.
 * @param interval milliseconds between two measurements
 */
export function watchEventLoopLag(interval = 250): EventLoopLag {
  let last = performance.now();
  let delays = [0];
  const timer = setInterval(() => {
    delays = [...delays, Math.max(0, performance.now() - last - interval)].slice(-sampleCount);
    last = performance.now();
  }, interval);
  timer.unref();
  return { milliseconds: () => Math.min(...delays), stop: () => clearInterval(timer) };
}

const sampleCount = 4;
