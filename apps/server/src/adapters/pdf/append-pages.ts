import { PDFArray, PDFDocument, PDFName, PDFRef } from '@cantoo/pdf-lib';

/**
 * Puts pages behind a PDF. They are added the way PDF foresees changes (an incremental update): the result begins with
 * the very bytes of the document, and all of its pages stay as they are.
 * @throws Error when the document cannot be read, or is locked with a password
 */
export async function appendPages(document: Buffer, pages: Buffer): Promise<Buffer> {
  const target = await openDocument(document);
  const source = await PDFDocument.load(pages, { updateMetadata: false });
  for (const page of await target.copyPages(source, source.getPageIndices())) {
    // It numbers places in the structure of the document that the page comes from.
    page.node.delete(PDFName.of('StructParents'));
    target.addPage(page);
  }
  return Buffer.from(
    await target.save({ useObjectStreams: usesObjectStreams(target), updateFieldAppearances: false }),
  );
}

async function openDocument(document: Buffer): Promise<PDFDocument> {
  let target: PDFDocument;
  try {
    target = await PDFDocument.load(document, { updateMetadata: false, forIncrementalUpdate: true });
  } catch (error) {
    const locked = error instanceof Error && /encrypted/i.test(error.message);
    throw new Error(
      locked
        ? 'the PDF cannot be read: it is locked with a password'
        : 'the PDF cannot be read: it is damaged, or no PDF',
      { cause: error },
    );
  }
  if (!hasWholePages(target)) throw new Error('the PDF cannot be read: pages of it are missing');
  return target;
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

/** The update's table of objects is of the same kind as the document's own, as the format asks. */
const usesObjectStreams = ({ context }: PDFDocument) => context.pdfFileDetails.useObjectStreams;
