import type { Firm, SignInMethod, StepUpMethod } from '@keyturn/contract';
import type { Transaction } from '../../platform/database.ts';
import type { FileStore } from '../../platform/stored-file.ts';

/** The document store: documents and their signed copies. */
export type DocumentFiles = Omit<FileStore, 'has' | 'remove'>;

/** Adds pages to a document that list its signatures. */
export interface SignaturePrinter {
  /**
   * Returns the document as a PDF with signature pages at the end. A picture is placed on a page first.
   * @throws UnprintableDocument, also if the result would not show the same pages
   */
  append(document: Buffer, page: SignaturePageContent): Promise<Buffer>;
  /**
   * Checks that a document can be signed: everything that it shows is on its pages, pages can be added, and the result shows
   * the same text and values.
   * @throws UnprintableDocument
   */
  check(document: Buffer): Promise<void>;
}

/** Checks documents before they are stored. */
export interface DocumentChecker extends Pick<SignaturePrinter, 'check'> {
  /** Checks that all readers show the same. A document that cannot be read passes. @throws UnprintableDocument */
  checkShown(document: Buffer): Promise<void>;
}

/** No signature page can ever be added to this document; the message is the reason. */
export class UnprintableDocument extends Error {
  override name = 'UnprintableDocument';
}

export interface SignaturePageContent {
  firm: Firm;
  /** What the firm must state in its letters. */
  statutoryLine: string;
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
  /** Null if it was not recorded. */
  signedInWith: SignInMethod | null;
  /** Null if the firm did not ask the client to confirm their identity. */
  confirmation: { method: StepUpMethod; at: Date } | null;
}

/** The part of the case history that documents use. */
export interface DocumentHistory {
  recordSigned(
    transaction: Transaction,
    signed: { caseId: string; documentId: string; title: string; clientId: string; signedAt: Date },
  ): Promise<void>;
}
