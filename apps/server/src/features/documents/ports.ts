import type { Readable } from 'node:stream';
import type { Firm } from '@keyturn/contract';
import type { Transaction } from '../../platform/database.ts';

/** Where documents are kept: by the SHA-256 of their content, in hex. */
export interface DocumentFiles {
  /** Durable when it resolves. @returns the SHA-256 */
  put(content: Buffer): Promise<string>;
  /**
   * What is stored under this SHA-256, unchecked: whoever reads it compares.
   * @param atMost bytes; of a longer file no more is read
   * @returns null when there is none, or the disk cannot give it
   */
  read(sha256: string, atMost: number): Promise<Buffer | null>;
  /** The length and the SHA-256 of the same, found piece by piece: little of it is held at a time. */
  measure(sha256: string, atMost: number): Promise<{ size: number; sha256: string } | null>;
  /**
   * The same, or a part of it, piece by piece; the stream breaks off where there is none.
   * @param range its first and its last byte, from 0
   */
  open(sha256: string, range: { start: number; end: number }): Readable;
}

/** Adds pages to a document that list its signatures. */
export interface SignaturePrinter {
  /**
   * The document as a PDF with its signature pages behind its own; a picture becomes a page first.
   * @throws UnprintableDocument
   */
  append(document: Buffer, page: SignaturePageContent): Promise<Buffer>;
  /**
   * Tries with an empty page whether pages can be added at all.
   * @throws UnprintableDocument
   */
  check(document: Buffer): Promise<void>;
}

/** No signature page can be put behind this document, however often it is tried; the message says why. */
export class UnprintableDocument extends Error {
  override name = 'UnprintableDocument';
}

export interface SignaturePageContent {
  firm: Firm;
  documentTitle: string;
  fileName: string;
  caseReference: string;
  /** Of the document that was signed, in hex. */
  sha256: string;
  /** In the order in which they were given. */
  signatures: PrintedSignature[];
}

export interface PrintedSignature {
  recordId: string;
  /** The client's own, as the firm has it. */
  clientName: string;
  /** As it was signed with. */
  name: string;
  method: 'typed' | 'drawn';
  /** x and y by turns, all of them within the width and the height. */
  drawing: { width: number; height: number; strokes: number[][] } | null;
  consent: string;
  signedAt: Date;
  address: string;
}

/** What documents needs of the case's history. */
export interface DocumentHistory {
  recordSigned(
    transaction: Transaction,
    signed: { caseId: string; documentId: string; title: string; clientId: string; signedAt: Date },
  ): Promise<void>;
}
