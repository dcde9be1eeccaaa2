import type { Firm } from '@keyturn/contract';

/** What stands on the page that is put behind a signed document. */
export interface SignaturePageContent {
  firm: Firm;
  documentTitle: string;
  fileName: string;
  caseReference: string;
  /** Of the document as it was read and signed: 64 hexadecimal digits. */
  sha256: string;
  signatures: PageSignature[];
}

export interface PageSignature {
  recordId: string;
  name: string;
  method: 'typed' | 'drawn';
  /** In the drawing's own units, y downwards; each stroke is x and y by turns. */
  drawing: { width: number; height: number; strokes: number[][] } | null;
  /** What the signer agreed to, in the words that stood on the screen. */
  consent: string;
  signedAt: Date;
  /** The network address it came from. */
  address: string;
}

export interface SignaturePrinter {
  /**
   * The document with its signatures on a page of its own at the end. A picture becomes an A4 page.
   * @param document a PDF, a JPEG or a PNG
   * @throws Error when the document cannot be read
   */
  append(document: Buffer, page: SignaturePageContent): Promise<Buffer>;
}
