import {
  type CaseDocument,
  matchesClientName,
  type SignatureBody,
  signatureConsent,
} from '@keyturn/contract';
import type { Connection, Transaction } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { isId, newId } from '../../platform/ids.ts';
import { checkStoredFile } from './check-stored-file.ts';
import {
  findClientName,
  findDocumentOfClient,
  findSignatures,
  finishSigningTasks,
  insertSignature,
  isSignedByAll,
  isSuperseded,
  lockDocument,
  type OwnDocument,
} from './documents-store.ts';
import type { SignedFileDependencies } from './make-signed-file.ts';
import { type DocumentHistory, UnprintableDocument } from './ports.ts';
import { readDocument } from './read-documents.ts';
import { type SignatureRecord, sealSignature } from './signature-record.ts';
import type { SignedCopies } from './signed-copies.ts';

export interface DocumentDependencies extends SignedFileDependencies {
  history: DocumentHistory;
  copies: SignedCopies;
}

export interface SigningRequest extends OwnDocument {
  body: SignatureBody;
  /** The client's, as the trusted proxies give it. */
  address: string;
}

/**
 * A client signs a document for themselves. The record, the history and the tasks change together, one signature
 * on a document at a time; the signed copy is made afterwards, and whatever becomes of it the signature stands.
 * @throws DomainError `not_found`, `already_signed`, `signature_not_requested`, `name_mismatch`, `document_changed`, `document_damaged`,
 *   `invalid_input`
 */
export async function signDocument(
  dependencies: DocumentDependencies,
  request: SigningRequest,
): Promise<CaseDocument> {
  const { database, copies } = dependencies;
  if (!isId(request.documentId)) throw new DomainError('not_found');
  await checkPrintable(dependencies, request);
  await database.transaction((transaction) => recordSignature(dependencies, transaction, request));
  await copies.make(request.documentId).catch(() => {});
  return readDocument(database, request);
}

/**
 * Nobody signs what could not be shown with their signature. This takes a while and happens before the document is
 * held; what else speaks against signing is said there.
 */
async function checkPrintable(
  { database, copies }: DocumentDependencies,
  { clientId, documentId, body }: SigningRequest,
): Promise<void> {
  const document = await findDocumentOfClient(database, { clientId, documentId });
  if (!document?.signatureRequired || document.sha256 !== body.sha256) return;
  const signatures = await findSignatures(database, documentId);
  if (signatures.some(({ signature }) => signature.clientId === clientId)) return;
  await parseName(database, { clientId, given: body.name });
  if (body.drawing) parseDrawing(body.drawing);
  try {
    await copies.check({ documentId, sha256: document.sha256, size: document.size });
  } catch (error) {
    if (error instanceof DomainError) throw error;
    if (error instanceof UnprintableDocument) throw new DomainError('document_damaged');
    throw new DomainError('unavailable', { retryAfter: 60 });
  }
}

async function recordSignature(
  dependencies: DocumentDependencies,
  transaction: Transaction,
  { clientId, documentId, body, address }: SigningRequest,
): Promise<void> {
  const { clock, history, signingKey } = dependencies;
  const found = await lockDocument(transaction, { clientId, documentId });
  if (!found) throw new DomainError('not_found');
  const { document, caseId } = found;
  const before = (await findSignatures(transaction, documentId)).map(({ signature }) => signature);
  if (before.some((signature) => signature.clientId === clientId)) throw new DomainError('already_signed');
  if (!document.signatureRequired) throw new DomainError('signature_not_requested');
  if (body.sha256 !== document.sha256 || (await isSuperseded(transaction, { documentId, caseId }))) {
    throw new DomainError('document_changed');
  }
  const record: SignatureRecord = {
    id: newId(),
    documentId,
    position: before.length + 1,
    clientId,
    name: await parseName(transaction, { clientId, given: body.name }),
    method: body.drawing ? 'drawn' : 'typed',
    drawing: body.drawing ? parseDrawing(body.drawing) : null,
    consent: signatureConsent,
    signedAt: clock(),
    address,
    sha256: document.sha256,
  };
  // Nobody signs what can no longer be shown.
  await checkStoredFile(dependencies, { documentId, ...document });
  const mac = sealSignature(signingKey, record, before.at(-1)?.mac ?? null);
  await insertSignature(transaction, { ...record, mac });
  const { title } = document;
  await history.recordSigned(transaction, { caseId, documentId, title, clientId, signedAt: record.signedAt });
  if (await isSignedByAll(transaction, { documentId, caseId })) {
    await finishSigningTasks(transaction, documentId);
  }
}

/** One form for the same name, which is the client's own; nothing in it that would show as another than it is. */
async function parseName(
  connection: Connection,
  { clientId, given }: { clientId: string; given: string },
): Promise<string> {
  const name = given.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();
  const fault = (text: string) => new DomainError('invalid_input', { errors: { name: [text] } });
  if (!/\p{L}/u.test(name) || [...name].length < 2) throw fault('must be your full name');
  // Control characters, and those that turn the direction of what follows.
  if (/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(name)) throw fault('must hold no invisible characters');
  if (!matchesClientName(name, await findClientName(connection, clientId)))
    throw new DomainError('name_mismatch');
  return name;
}

function parseDrawing(drawing: NonNullable<SignatureBody['drawing']>) {
  const { width, height, strokes } = drawing;
  for (const [index, stroke] of strokes.entries()) {
    if (stroke.length % 2 === 1) {
      const errors = { [`drawing.strokes.${index}`]: ['must hold x and y by turns'] };
      throw new DomainError('invalid_input', { errors });
    }
  }
  return { width, height, strokes };
}
