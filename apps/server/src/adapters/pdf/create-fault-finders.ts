import { type DocumentChecker, UnprintableDocument } from '../../case-file/documents/ports.ts';
import type { DocumentFaults } from '../../case-file/import/ports.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { hasPdfHeader, wasSentAsText } from '../../platform/files/pdf-header.ts';

/**
 * Creates checks of documents: whether they can be signed, and whether all readers show them the same.
 * @param checkers each does one check at a time; a few further checks wait for a free one, and the others fail with the
 *   DomainError `unavailable`
 */
export function createFaultFinders(...checkers: DocumentChecker[]): DocumentFaults {
  const idle = [...checkers];
  const waiting: ((checker: DocumentChecker) => void)[] = [];
  const release = (checker: DocumentChecker) => {
    const next = waiting.shift();
    if (next) next(checker);
    else idle.push(checker);
  };
  const findFault = async (check: (checker: DocumentChecker) => Promise<void>) => {
    if (idle.length === 0 && waiting.length >= maxWaiting) {
      throw new DomainError('unavailable', { retryAfter: 20 });
    }
    const checker = idle.pop() ?? (await new Promise<DocumentChecker>((resolve) => waiting.push(resolve)));
    try {
      await check(checker);
      return null;
    } catch (error) {
      if (error instanceof UnprintableDocument) return error.message;
      throw error;
    } finally {
      release(checker);
    }
  };
  return {
    findSigningFault: async (document) =>
      wasSentAsText(document) ? sentAsText : findFault((checker) => checker.check(document)),
    findViewingFault: async (document) => {
      // A picture, or a file that only a careful reader could open, is shown by its own viewer or not at all.
      if (!hasPdfHeader(document)) return null;
      if (wasSentAsText(document)) return sentAsText;
      return findFault((checker) => checker.checkShown(document));
    },
  };
}

const sentAsText =
  'it was sent as text, which has destroyed some of it: ask for the original file and use that';

/** Each waiting document can need 25 MB, and its turn can come after 20 s per document before it. */
const maxWaiting = 8;
