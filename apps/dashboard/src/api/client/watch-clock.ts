import { createStore, type ReadableStore } from '@keyturn/browser/store/create-store.ts';

/** Milliseconds by which a device’s clock may differ from the server’s. Codes of authenticators fail earlier. */
const maxDifference = 10 * 60_000;

/**
 * Creates a `fetch` that compares the clock of this device with the time of each answer. Answers of another origin do not
 * show their time to scripts.
 */
export function watchClock(
  fetch: typeof globalThis.fetch,
  now: () => number = Date.now,
): { fetch: typeof globalThis.fetch; isClockWrong: ReadableStore<boolean> } {
  const isClockWrong = createStore(false);
  return {
    isClockWrong,
    fetch: async (address, request) => {
      const response = await fetch(address, request);
      const sentAt = Date.parse(response.headers.get('date') ?? '');
      if (!Number.isNaN(sentAt)) isClockWrong.set(Math.abs(now() - sentAt) > maxDifference);
      return response;
    },
  };
}
