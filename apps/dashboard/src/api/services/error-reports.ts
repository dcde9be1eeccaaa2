/**
 * What failed, on its way to whom it is reported: errors, the browser's own events of such, and calls of the API, of
 * which only some are a surprise. The listener tells them apart.
 */
export interface ErrorReports {
  report(error: unknown): void;
  /** Gives what was told until now, and from now on. */
  subscribe(take: (error: unknown) => void): void;
}

/** Until somebody listens, which may be never, the first few are kept. */
export function createErrorReports(): ErrorReports {
  const early: unknown[] = [];
  let take: (error: unknown) => unknown = (error) => early.length < mostEarly && early.push(error);
  return {
    report: (error) => take(error),
    subscribe: (listener) => {
      take = listener;
      early.splice(0).forEach(listener);
    },
  };
}

const mostEarly = 20;
