import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFObjectCopier,
  PDFPage,
  PDFPageLeaf,
  PDFRef,
} from '@cantoo/pdf-lib';
import { UnsupportedDocumentError } from '../unsupported-document-error.ts';
import { appendStructure } from './append-structure.ts';

export interface AppendablePdf {
  /** Whether the result starts with the unchanged bytes of the document. */
  keepsBytes: boolean;
  /** Returns the document followed by the pages of another PDF. */
  append(pages: Buffer): Promise<Buffer>;
  /** Returns the document followed by an empty page, to check that pages can be appended. */
  appendEmptyPage(): Promise<Buffer>;
}

/**
 * Opens a PDF to append pages. They are added as an incremental update, which keeps the document byte for byte. If that
 * is impossible, because its cross-reference table is broken or it is encrypted, the document is rewritten.
 *
 * @throws UnsupportedDocumentError if the document cannot be read, or only with a password
 */
export async function openForAppending(document: Buffer): Promise<AppendablePdf> {
  const { target, keepsBytes } = await openDocument(document);
  if (!hasCompletePages(target)) {
    throw new UnsupportedDocumentError('some of its pages are missing: save it again as a PDF and use that');
  }
  const append = async (pages: Buffer) => {
    try {
      return await appendPages(target, keepsBytes, pages);
    } catch (error) {
      throw new UnsupportedDocumentError('no pages can be added to it: print it to a new PDF and use that', {
        cause: error,
      });
    }
  };
  return {
    keepsBytes,
    append,
    appendEmptyPage: async () => {
      const empty = await PDFDocument.create();
      empty.addPage();
      return append(Buffer.from(await empty.save()));
    },
  };
}

async function appendPages(target: PDFDocument, keepsBytes: boolean, pages: Buffer): Promise<Buffer> {
  const source = await PDFDocument.load(pages, { updateMetadata: false });
  const copier = PDFObjectCopier.for(source.context, target.context);
  const added = source.getPages().map(({ ref }) => {
    const copy = withoutChangeTracking(target.context, () => copier.copy(ref));
    const node = target.context.lookup(copy);
    if (!(node instanceof PDFPageLeaf)) throw new Error('a page was not copied');
    return target.addPage(PDFPage.of(node, copy, target));
  });
  const structure = source.catalog.lookupMaybe(PDFName.of('StructTreeRoot'), PDFDict);
  appendStructure(
    target,
    added,
    () => structure && withoutChangeTracking(target.context, () => copier.copy(structure)),
  );
  // The format requires the same kind of cross-reference table as in the document.
  const { useObjectStreams } = target.context.pdfFileDetails;
  return Buffer.from(
    await target.save({ useObjectStreams, updateFieldAppearances: false, rewrite: !keepsBytes }),
  );
}

/**
 * Copies objects without pdf-lib's change tracking. Copied objects are new and saved anyway, but pdf-lib would search
 * the whole document for the owner of each entry, which takes minutes in large documents.
 */
function withoutChangeTracking<Result>(context: PDFContext, copy: () => Result): Result {
  context.registerObjectChange = () => {};
  try {
    return copy();
  } finally {
    // Deleting the override restores the method of the class.
    delete (context as Partial<PDFContext>).registerObjectChange;
  }
}

async function openDocument(document: Buffer): Promise<{ target: PDFDocument; keepsBytes: boolean }> {
  const load = (options: { forIncrementalUpdate: true } | { password: '' }) =>
    PDFDocument.load(document, { updateMetadata: false, ...options });
  try {
    const target = await load({ forIncrementalUpdate: true });
    return { target, keepsBytes: hasValidXref(document, target) };
  } catch (error) {
    if (!isEncrypted(error)) {
      throw new UnsupportedDocumentError('it is damaged or not a PDF: save it again as a PDF and use that', {
        cause: error,
      });
    }
  }
  try {
    return { target: await load({ password: '' }), keepsBytes: false };
  } catch (error) {
    throw new UnsupportedDocumentError('it is protected with a password: save it without one and use that', {
      cause: error,
    });
  }
}

const isEncrypted = (error: unknown) => error instanceof Error && /encrypted/i.test(error.message);

/** An incremental update refers to the previous cross-reference table, so its offset must be correct. */
function hasValidXref(document: Buffer, { context }: PDFDocument): boolean {
  const offset = context.pdfFileDetails.prevStartXRef;
  if (!(offset > 0) || !document.subarray(0, 5).equals(Buffer.from('%PDF-'))) return false;
  return /^\s*(?:xref\b|\d+ \d+ obj\b)/.test(document.subarray(offset, offset + 32).toString('latin1'));
}

/** Checks the contents of all pages, because pdf-lib opens truncated files without an error. */
function hasCompletePages(target: PDFDocument): boolean {
  try {
    const pages = target.getPages();
    return (
      pages.length > 0 &&
      pages.every(({ node }) => {
        const contents = node.get(PDFName.of('Contents'));
        const parts = contents instanceof PDFArray ? contents.asArray() : contents ? [contents] : [];
        return parts.every((part) => !(part instanceof PDFRef) || target.context.lookup(part) !== undefined);
      })
    );
  } catch {
    return false;
  }
}
