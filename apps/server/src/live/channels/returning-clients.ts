/**
 * Counts the clients that have returned lately, to spread their requests, because thousands return in the same second
 * after a server was killed.
 * @param options.waiting the number of clients that have returned and are not served yet
 * @param options.now milliseconds
 * @returns a function that counts a client who has returned, and returns the milliseconds within which they should
 *   fetch
 */
export function createReturningClients({
  waiting = () => 0,
  now = () => performance.now(),
}: {
  waiting?: () => number;
  now?: () => number;
} = {}): () => number {
  let periodStart = now();
  let inPeriod = 0;
  let inLastPeriod = 0;
  return () => {
    const periods = Math.floor((now() - periodStart) / period);
    if (periods > 0) {
      inLastPeriod = periods === 1 ? inPeriod : 0;
      inPeriod = 0;
      periodStart += periods * period;
    }
    inPeriod += 1;
    const others = inPeriod + inLastPeriod + waiting() - 1;
    return Math.min(others * costPerClient, maxSpread);
  };
}

/** Milliseconds. */
const period = 10_000;
/** Milliseconds of processor time that the reads of one client cost the server and PostgreSQL together. */
const costPerClient = 10;
/** The maximum time, in milliseconds, for which the screens of a returning client may be out of date. */
const maxSpread = 30_000;
