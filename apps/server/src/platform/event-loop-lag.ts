export interface EventLoopLag {
  /** How late this process is with what it should have done by now. */
  milliseconds(): number;
  stop(): void;
}

/** Looks a few times a second whether a timer comes when it should. */
export function watchEventLoopLag(every = 250): EventLoopLag {
  let last = performance.now();
  let found = 0;
  const late = () => Math.max(0, performance.now() - last - every);
  const timer = setInterval(() => {
    found = late();
    last = performance.now();
  }, every);
  timer.unref();
  return { milliseconds: () => Math.max(found, late()), stop: () => clearInterval(timer) };
}
