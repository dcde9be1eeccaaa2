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
import { UnprintableDocument } from '../../features/documents/ports.ts';
import { joinStructure } from './join-structure.ts';

export interface GrowingPdf {
  /** The result will begin with the very bytes of the document. */
  keepsBytes: boolean;
  /** The document with the pages of another PDF behind its own, which stay as they are. */
  append(pages: Buffer): Promise<Buffer>;
}

/**
 * Opens a PDF to put pages behind it. They are added the way PDF foresees changes (an incremental update): the document
 * itself stays, byte for byte. Where that cannot be (its table of objects is broken, or it may be read but not changed),
 * the document is written anew.
 * @throws UnprintableDocument when the document cannot be read, or not without a password
 */
export async function growPdf(document: Buffer): Promise<GrowingPdf> {
  const { target, keepsBytes } = await openDocument(document);
  if (!hasWholePages(target))
    throw new UnprintableDocument('the PDF cannot be read: pages of it are missing');
  return {
    keepsBytes,
    append: async (pages) => {
      const source = await PDFDocument.load(pages, { updateMetadata: false });
      const copier = PDFObjectCopier.for(source.context, target.context);
      const added = source.getPages().map(({ ref }) => {
        const copied = withoutSearch(target.context, () => copier.copy(ref));
        const node = target.context.lookup(copied);
        if (!(node instanceof PDFPageLeaf)) throw new Error('a page was not copied');
        return target.addPage(PDFPage.of(node, copied, target));
      });
      const structure = source.catalog.lookupMaybe(PDFName.of('StructTreeRoot'), PDFDict);
      joinStructure(
        target,
        added,
        () => structure && withoutSearch(target.context, () => copier.copy(structure)),
      );
      // The update's table of objects is of the same kind as the document's own, as the format asks.
      const { useObjectStreams } = target.context.pdfFileDetails;
      return Buffer.from(
        await target.save({ useObjectStreams, updateFieldAppearances: false, rewrite: !keepsBytes }),
      );
    },
  };
}

/**
 * What is copied is saved because it is new. For each of its entries pdf-lib would look through the whole document
 * nevertheless for an object that it is part of, which takes minutes where there are many.
 */
function withoutSearch<Result>(context: PDFContext, copy: () => Result): Result {
  context.registerObjectChange = () => {};
  try {
    return copy();
  } finally {
    // The method of the class shows again.
    delete (context as Partial<PDFContext>).registerObjectChange;
  }
}

async function openDocument(document: Buffer): Promise<{ target: PDFDocument; keepsBytes: boolean }> {
  const load = (options: { forIncrementalUpdate: true } | { password: '' }) =>
    PDFDocument.load(document, { updateMetadata: false, ...options });
  try {
    const target = await load({ forIncrementalUpdate: true });
    return { target, keepsBytes: hasSoundTable(document, target) };
  } catch (error) {
    if (!isEncrypted(error)) {
      throw new UnprintableDocument('the PDF cannot be read: it is damaged, or no PDF', { cause: error });
    }
  }
  try {
    return { target: await load({ password: '' }), keepsBytes: false };
  } catch (error) {
    throw new UnprintableDocument('the PDF cannot be read: it is locked with a password', { cause: error });
  }
}

const isEncrypted = (error: unknown) => error instanceof Error && /encrypted/i.test(error.message);

/** An update points back to the table of objects: it has to be where the end of the document says. */
function hasSoundTable(document: Buffer, { context }: PDFDocument): boolean {
  const at = context.pdfFileDetails.prevStartXRef;
  if (!(at > 0) || !document.subarray(0, 5).equals(Buffer.from('%PDF-'))) return false;
  return /^\s*(?:xref\b|\d+ \d+ obj\b)/.test(document.subarray(at, at + 32).toString('latin1'));
}

/** A file cut short can still be opened: what its pages are made of is looked for. */
function hasWholePages(target: PDFDocument): boolean {
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
