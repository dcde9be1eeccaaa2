import { describeError } from '../../platform/describe-error.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { createSerialQueue } from '../../platform/serial-queue.ts';
import type { StoredFile } from './check-stored-file.ts';
import { findSignatures, type SignedFileRow } from './documents-store.ts';
import { makeSignedFile, type SignedFileDependencies } from './make-signed-file.ts';
import { readStoredFile } from './read-stored-file.ts';

export interface SignedCopies {
  /**
   * The signed copy of a document with all its signatures so far, made now where it has not been.
   * @throws DomainError `document_damaged`; UnprintableDocument, and whatever else the printer throws, also where that
   *   was a while ago
   */
  make(documentId: string): Promise<SignedFileRow>;
  /** Tries whether a signed copy of a file can be made at all. @throws as `make` does */
  check(file: StoredFile): Promise<void>;
}

/**
 * Makes signed copies one after the other: whoever asks for one that is being made gets the same, and one that could
 * not be made is not tried again for a while. Whoever looks after the server is told once.
 */
export function createSignedCopies(dependencies: SignedFileDependencies): SignedCopies {
  const { database, clock, alertOperator } = dependencies;
  const inTurn = createSerialQueue();
  const underWay = new Map<string, Promise<unknown>>();
  const failures = new Map<string, { error: unknown; until: number }>();

  /** @param key the same for the same work: a signature's id, or a file's SHA-256 */
  const attempt = async <Result>(key: string, documentId: string, work: () => Promise<Result>) => {
    const now = clock().getTime();
    for (const [known, { until }] of failures) if (until <= now) failures.delete(known);
    const failure = failures.get(key);
    if (failure) throw failure.error;
    try {
      return await inTurn(work);
    } catch (error) {
      // A file that is damaged has been told of, and may be put right at any time.
      if (error instanceof DomainError) throw error;
      failures.set(key, { error, until: clock().getTime() + keepFailures });
      alertOperator('a signed document could not be made', {
        document: documentId,
        error: describeError(error),
      });
      throw error;
    }
  };

  const share = <Result>(key: string, documentId: string, work: () => Promise<Result>): Promise<Result> => {
    const working =
      (underWay.get(key) as Promise<Result> | undefined) ??
      attempt(key, documentId, work).finally(() => underWay.delete(key));
    underWay.set(key, working);
    return working;
  };

  return {
    make: async (documentId) => {
      const latest = (await findSignatures(database, documentId)).at(-1);
      if (!latest) throw new Error(`document ${documentId} has no signature`);
      if (latest.file) return latest.file;
      return share(latest.signature.id, documentId, () => makeSignedFile(dependencies, documentId));
    },
    check: (file) =>
      share(file.sha256, file.documentId, async () =>
        dependencies.printer.check(await readStoredFile(dependencies, file)),
      ),
  };
}

/** Milliseconds. */
const keepFailures = 5 * 60_000;
