import type { ClientName } from '@keyturn/contract';
import type { AlertOperator } from '../../platform/alert-operator.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { storeAndRecord } from '../../platform/files/file-reservations.ts';
import { readStatutoryLine } from '../../platform/firm-data/statutory-line.ts';
import { readStoredFile } from '../../platform/stored-file.ts';
import type { SignatureDrawing } from '../../schema/tables/tables.ts';
import { findDocument, findSignatures, type SignedFileRow, storeSignedFile } from './documents-store.ts';
import type { DocumentFiles, PrintedSignature, SignaturePrinter } from './ports.ts';
import { confirmationOf, type SealedSignature, sealSignedFile } from './signature-record.ts';

export interface SignedFileDependencies {
  database: Database;
  files: DocumentFiles;
  printer: SignaturePrinter;
  /** From `signatureKey`. */
  signingKey: Buffer;
  clock: Clock;
  alertOperator: AlertOperator;
}

/**
 * Makes the signed copy of a document: the original and one page that lists all signatures so far. It is made once per
 * signature; concurrent callers get the same one.
 * @throws DomainError `document_damaged`, and any error of the printer; the signatures stay valid
 */
export async function makeSignedFile(
  dependencies: SignedFileDependencies,
  documentId: string,
): Promise<SignedFileRow> {
  const { database, files, printer, signingKey, clock } = dependencies;
  const [found, signatures] = await Promise.all([
    findDocument(database, documentId),
    findSignatures(database, documentId),
  ]);
  const latest = signatures.at(-1);
  if (!found || !latest) throw new Error(`document ${documentId} has no signature`);
  if (latest.file) return latest.file;
  if (!found.firm) throw new Error('the installation has no firm yet');
  const { document, caseReference, firm } = found;
  const original = await readStoredFile(dependencies, {
    documentId,
    sha256: latest.signature.sha256,
    size: document.size,
  });
  const signed = await printer.append(original, {
    firm,
    statutoryLine: await readStatutoryLine(database),
    documentTitle: document.title,
    fileName: document.fileName,
    caseReference,
    sha256: latest.signature.sha256,
    signatures: signatures.map(({ signature, client }) => asPrinted(signature, client)),
  });
  return storeAndRecord({ database, files }, signed, (sha256) => {
    const file = { signatureId: latest.signature.id, sha256, size: signed.length, madeAt: clock() };
    return storeSignedFile(database, {
      ...file,
      mac: sealSignedFile(signingKey, file, latest.signature.mac),
    });
  });
}

const asPrinted = (signature: SealedSignature, client: ClientName): PrintedSignature => ({
  recordId: signature.id,
  clientName: `${client.first_name} ${client.last_name}`,
  name: signature.name,
  method: signature.method,
  drawing: signature.drawing && clipToBox(signature.drawing),
  consent: signature.consent,
  signedAt: signature.signedAt,
  address: signature.address,
  signedInWith: signature.signedInWith,
  confirmation: confirmationOf(signature),
});

/** Clips strokes to their box, so that they cannot cover other parts of the page. */
const clipToBox = ({ width, height, strokes }: SignatureDrawing): SignatureDrawing => ({
  width,
  height,
  strokes: strokes.map((stroke) =>
    stroke.map((value, index) => Math.min(value, index % 2 === 0 ? width : height)),
  ),
});
