/** What nobody foresaw, on its way to whom it is reported. */
export interface Reports {
  tell(error: unknown): void;
  /** Gives what was told until now, and from now on. */
  listen(take: (error: unknown) => void): void;
}

/** Until somebody listens, which may be never, the first few are kept. */
export function createReports(): Reports {
  const early: unknown[] = [];
  let take = (error: unknown) => {
    if (early.length < mostEarly) early.push(error);
  };
  return {
    tell: (error) => take(error),
    listen: (listener) => {
      take = listener;
      early.splice(0).forEach(listener);
    },
  };
}

const mostEarly = 20;
