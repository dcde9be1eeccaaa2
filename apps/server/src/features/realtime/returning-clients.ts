/**
 * Counts the clients that have returned lately, to spread what they fetch again: after a server was killed, thousands
 * return in the same second.
 * @param options.waiting the number of clients that have returned and are not served yet
 * @param options.now milliseconds
 * @returns counts a client who has returned; returns the milliseconds within which they should fetch again
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
    return Math.min(others * fetchingTakes, maxSpread);
  };
}

/** Milliseconds. */
const period = 10_000;
/** Of one core, for the reads of one client: of the server and its PostgreSQL together. Milliseconds. */
const fetchingTakes = 10;
/** The screens of a client who is back should not be out of date for longer. Milliseconds. */
const maxSpread = 30_000;
