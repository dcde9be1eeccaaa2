/** Items that are processed at the same time. */
const concurrency = 4;

/**
 * Processes items such as stored files, a few at the same time. After a failure, no further one is started; those that
 * were started are finished before it is thrown.
 */
export async function forEach<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  const worker = async () => {
    try {
      for (let next = waiting.next(); !next.done; next = waiting.next()) await work(next.value);
    } catch (error) {
      waiting.return?.();
      throw error;
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: concurrency }, worker));
  const failed = ended.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}
