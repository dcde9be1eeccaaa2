/**
 * Collects failures for error reporting: errors, the browser's error events, and failed calls. The listener decides which
 * of them were unexpected.
 */
export interface ErrorReports {
  report(error: unknown): void;
  /** Sets the listener, which also receives the failures so far. */
  subscribe(take: (error: unknown) => void): void;
}

/** Creates the collector. Without a listener, which may never come, it keeps only the first few failures. */
export function createErrorReports(): ErrorReports {
  const early: unknown[] = [];
  let take: (error: unknown) => unknown = (error) => early.length < maxEarly && early.push(error);
  return {
    report: (error) => take(error),
    subscribe: (listener) => {
      take = listener;
      early.splice(0).forEach(listener);
    },
  };
}

const maxEarly = 20;
