/** More connects than this, in so many milliseconds, are a fault of the server's. */
const most = 5;
const within = 10_000;

/**
 * Counts connects. A server that keeps closing with 42xx would be asked again without a pause, for ever.
 * @returns to be called for each connect: whether that was one too many
 */
export function createConnectLimit(now: () => number = () => performance.now()): () => boolean {
  let times: number[] = [];
  return () => {
    const at = now();
    times = [...times.filter((time) => at - time < within), at];
    return times.length > most;
  };
}
