import { setTimeout as pause } from 'node:timers/promises';
import { describeError } from '../../platform/describe-error.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { createSerialQueue } from '../../platform/serial-queue.ts';
import { readStoredFile, type StoredFile } from '../../platform/stored-file.ts';
import { findSignatures, type SignedFileRow } from './documents-store.ts';
import { makeSignedFile, type SignedFileDependencies } from './make-signed-file.ts';
import { UnprintableDocument } from './ports.ts';

export interface SignedCopies {
  /**
   * Returns the signed copy of a document with all signatures so far, making it if necessary.
   * @throws DomainError `document_damaged`; UnprintableDocument and other errors of the printer, also recent ones
   */
  make(documentId: string): Promise<SignedFileRow>;
  /**
   * Makes the signed copy so that its first reader need not wait for it. Resolves after a second at the latest, and at
   * once while many copies are waiting; the first reader makes it then.
   */
  prepare(documentId: string): Promise<void>;
  /** Checks that a signed copy of a file can be made, once per file. @throws the same errors as `make` */
  check(file: StoredFile & { documentId: string }): Promise<void>;
  /** Finishes the work in progress, and leaves the copies that are waiting to their first readers. */
  stop(): Promise<void>;
}

/**
 * Makes signed copies one after another. Concurrent requests for the same copy share one run, and a failure is cached
 * for a while, so that the operator is alerted once.
 */
export function createSignedCopies(dependencies: SignedFileDependencies): SignedCopies {
  const { database, clock, alertOperator } = dependencies;
  const enqueue = createSerialQueue();
  const inProgress = new Map<string, Promise<unknown>>();
  const failures = new Map<string, { error: unknown; until: number }>();
  const checked = new Set<string>();
  let isStopped = false;

  /** @param key identifies the work: a signature's id, or a file's SHA-256 */
  const attempt = async <Result>(key: string, documentId: string, work: () => Promise<Result>) => {
    const now = clock().getTime();
    for (const [known, { until }] of failures) if (until <= now) failures.delete(known);
    const failure = failures.get(key);
    if (failure) throw failure.error;
    try {
      return await enqueue(() => {
        if (isStopped) throw new DomainError('unavailable', { retryAfter: 60 });
        return work();
      });
    } catch (error) {
      // The operator was alerted to a damaged file and may repair it at any time, so it is not cached.
      if (error instanceof DomainError) throw error;
      failures.set(key, { error, until: clock().getTime() + failureCacheTime });
      if (error instanceof FileNotSignable) {
        alertOperator('a document cannot be signed: share a new version of it', {
          document: documentId,
          reason: error.message,
        });
      } else {
        alertOperator('a signed document could not be made', {
          document: documentId,
          error: describeError(error),
        });
      }
      throw error;
    }
  };

  const share = <Result>(key: string, documentId: string, work: () => Promise<Result>): Promise<Result> => {
    const pending =
      (inProgress.get(key) as Promise<Result> | undefined) ??
      attempt(key, documentId, work).finally(() => inProgress.delete(key));
    inProgress.set(key, pending);
    return pending;
  };

  const make = async (documentId: string) => {
    const latest = (await findSignatures(database, documentId)).at(-1);
    if (!latest) throw new Error(`document ${documentId} has no signature`);
    if (latest.file) return latest.file;
    return share(latest.signature.id, documentId, () => makeSignedFile(dependencies, documentId));
  };

  return {
    make,
    prepare: async (documentId) => {
      if (inProgress.size >= maxWaiting) return;
      const making = make(documentId).catch(() => {});
      await Promise.race([making, pause(preparationTime, undefined, { ref: false })]);
    },
    check: async (file) => {
      if (checked.has(file.sha256)) return;
      await share(file.sha256, file.documentId, async () =>
        dependencies.printer.check(await readStoredFile(dependencies, file)).catch(throwNotSignable),
      );
      checked.add(file.sha256);
      for (const oldest of checked) {
        if (checked.size <= maxChecked) break;
        checked.delete(oldest);
      }
    },
    stop: async () => {
      isStopped = true;
      await Promise.allSettled(inProgress.values());
    },
  };
}

/** A file that no one can sign: the firm has to share another one. */
class FileNotSignable extends UnprintableDocument {}

async function throwNotSignable(error: unknown): Promise<never> {
  throw error instanceof UnprintableDocument ? new FileNotSignable(error.message) : error;
}

/** With more copies waiting, a reader of one of them would wait too long. */
const maxWaiting = 10;
/** Milliseconds. */
const preparationTime = 1_000;
/** The number of files known to be printable. */
const maxChecked = 1_000;

/** Milliseconds for which a failure is cached. */
const failureCacheTime = 5 * 60_000;
