import type { ListedDocument } from './document-list.ts';

/** Documents that are processed at the same time. */
const concurrency = 4;

/** Processes documents, a few at the same time. After a failure, no further one is started. */
export async function forEachDocument(
  documents: Iterable<ListedDocument>,
  work: (document: ListedDocument) => Promise<unknown>,
): Promise<void> {
  const waiting = documents[Symbol.iterator]();
  const worker = async () => {
    try {
      for (let next = waiting.next(); !next.done; next = waiting.next()) await work(next.value);
    } catch (error) {
      waiting.return?.();
      throw error;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
