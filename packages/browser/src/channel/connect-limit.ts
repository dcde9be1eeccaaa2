const maxConnects = 5;
const windowMs = 10_000;

/**
 * Creates a limit of five connects in ten seconds. pusher-js reconnects without a pause when a server closes with 42xx,
 * and would never stop.
 * @returns a function to call on each connect, which returns whether the limit is exceeded
 */
export function createConnectLimit(now: () => number = () => performance.now()): () => boolean {
  let connects: number[] = [];
  return () => {
    const connectedAt = now();
    connects = [...connects.filter((time) => connectedAt - time < windowMs), connectedAt];
    return connects.length > maxConnects;
  };
}
