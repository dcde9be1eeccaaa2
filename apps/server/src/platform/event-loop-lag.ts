export interface EventLoopLag {
  /** How late this process is, again and again, with what it should have done by now. */
  milliseconds(): number;
  stop(): void;
}

/**
 * Looks a few times a second whether a timer comes when it should. A single delay, however long, is over by the time that
 * anybody can ask about it: what counts is the shortest of the last few.
 */
export function watchEventLoopLag(every = 250): EventLoopLag {
  let last = performance.now();
  let found = [0];
  const timer = setInterval(() => {
    found = [...found, Math.max(0, performance.now() - last - every)].slice(-looks);
    last = performance.now();
  }, every);
  timer.unref();
  return { milliseconds: () => Math.min(...found), stop: () => clearInterval(timer) };
}

const looks = 4;
