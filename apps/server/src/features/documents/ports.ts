import type { Readable } from 'node:stream';
import type { Firm } from '@keyturn/contract';
import type { Transaction } from '../../platform/database.ts';

/** Stores files under the SHA-256 of their content, in hex. */
export interface DocumentFiles {
  /** Stores content durably. @returns the SHA-256 */
  put(content: Buffer): Promise<string>;
  /**
   * Reads the file stored under this SHA-256 without verifying it.
   * @param maxBytes a longer file is cut off
   * @returns null when it does not exist or cannot be read
   */
  read(sha256: string, maxBytes: number): Promise<Buffer | null>;
  /** Computes the length and SHA-256 of the same file in chunks. */
  measure(sha256: string, maxBytes: number): Promise<{ size: number; sha256: string } | null>;
  /**
   * Streams the same file or a part of it. The stream fails when the file does not exist.
   * @param range first and last byte, from 0
   */
  open(sha256: string, range: { start: number; end: number }): Readable;
}

/** Adds pages to a document that list its signatures. */
export interface SignaturePrinter {
  /**
   * Returns the document as a PDF with signature pages at the end. A picture is placed on a page first.
   * @throws UnprintableDocument
   */
  append(document: Buffer, page: SignaturePageContent): Promise<Buffer>;
  /**
   * Tries with an empty page whether pages can be added.
   * @throws UnprintableDocument
   */
  check(document: Buffer): Promise<void>;
}

/** No signature page can ever be added to this document; the message is the reason. */
export class UnprintableDocument extends Error {
  override name = 'UnprintableDocument';
}

export interface SignaturePageContent {
  firm: Firm;
  documentTitle: string;
  fileName: string;
  caseReference: string;
  /** SHA-256 of the signed document, in hex. */
  sha256: string;
  /** In signing order. */
  signatures: PrintedSignature[];
}

export interface PrintedSignature {
  recordId: string;
  /** The client's name as the firm has it. */
  clientName: string;
  /** The name they signed with. */
  name: string;
  method: 'typed' | 'drawn';
  /** Alternating x and y, within width and height. */
  drawing: { width: number; height: number; strokes: number[][] } | null;
  consent: string;
  signedAt: Date;
  address: string;
}

/** The part of the case history that documents use. */
export interface DocumentHistory {
  recordSigned(
    transaction: Transaction,
    signed: { caseId: string; documentId: string; title: string; clientId: string; signedAt: Date },
  ): Promise<void>;
}
