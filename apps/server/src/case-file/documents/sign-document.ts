import {
  type CaseDocument,
  hasHiddenCharacter,
  isSignedOnPaper,
  matchesClientName,
  type SignatureBody,
  signatureConsent,
} from '@keyturn/contract';
import { findSessionProofs } from '../../people/credentials/session-proofs.ts';
import { findClientActor, recordAudit } from '../../platform/audit/record-audit.ts';
import { bindingMomentOf } from '../../platform/binding-moment.ts';
import type { Clock } from '../../platform/clock.ts';
import { assertRecent } from '../../platform/credentials/assert-recent.ts';
import type { Connection, Transaction } from '../../platform/database.ts';
import { DomainError, invalidInput } from '../../platform/domain-error.ts';
import { isId, newId } from '../../platform/ids.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { findSignedByAll } from '../../platform/signed-by-all.ts';
import { checkStoredFile } from '../../platform/stored-file.ts';
import {
  type DocumentRow,
  findClientName,
  findDocumentOfClient,
  findSignatures,
  finishSigningTasks,
  insertSignature,
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
  /** Decides how long a session and a confirmation last. */
  laterClock: Clock;
}

export interface SigningRequest extends OwnDocument {
  body: SignatureBody;
  /** IP address of the client, as reported by the trusted proxies. */
  address: string;
  /** SHA-256 of the token of the client’s session. */
  sessionHash: Buffer;
}

/**
 * Signs a document for one client. The record, the history and the tasks change in one transaction, one signature per
 * document at a time. The signed copy is made afterwards, if need be after the response; the signature is valid even if
 * that fails.
 * @throws DomainError `not_found`, `already_signed`, `signature_not_requested`, `signed_on_paper`, `name_mismatch`,
 *   `identity_not_confirmed`, `document_changed`, `document_damaged`, `document_not_signable`, `invalid_input`,
 *   `unauthenticated`
 */
export async function signDocument(
  dependencies: DocumentDependencies,
  request: SigningRequest,
): Promise<CaseDocument> {
  const { database, copies } = dependencies;
  if (!isId(request.documentId)) throw new DomainError('not_found');
  await checkPrintable(dependencies, request);
  await runTransaction(database, (transaction) => recordSignature(dependencies, transaction, request));
  await copies.prepare(request.documentId);
  return readDocument(request.documentId).forClient(database, request.clientId);
}

/**
 * Rejects a document to which no signature page can be added. This takes a while, so it runs before the document's row
 * is locked; all other checks run under the lock.
 */
async function checkPrintable(
  { database, laterClock, copies }: DocumentDependencies,
  { clientId, documentId, body, sessionHash }: SigningRequest,
): Promise<void> {
  const document = await findDocumentOfClient(database, { clientId, documentId });
  if (document?.signing !== 'simple' || document.sha256 !== body.sha256) return;
  const signatures = await findSignatures(database, documentId);
  if (signatures.some(({ signature }) => signature.clientId === clientId)) return;
  await parseName(database, { clientId, typed: body.name });
  if (body.drawing) parseDrawing(body.drawing);
  await proveIdentity(database, document, { sessionHash, now: laterClock() });
  try {
    await copies.check({ documentId, sha256: document.sha256, size: document.size });
  } catch (error) {
    if (error instanceof DomainError) throw error;
    if (error instanceof UnprintableDocument) throw new DomainError('document_not_signable');
    throw new DomainError('unavailable', { retryAfter: 60 });
  }
}

async function recordSignature(
  dependencies: DocumentDependencies,
  transaction: Transaction,
  { clientId, documentId, body, address, sessionHash }: SigningRequest,
): Promise<void> {
  const { clock, laterClock, history, signingKey } = dependencies;
  const found = await lockDocument(transaction, { clientId, documentId });
  // After the lock, so that later signatures have later times.
  const now = clock();
  if (!found) throw new DomainError('not_found');
  const { document, caseId, matter } = found;
  const earlier = await findSignatures(transaction, documentId);
  const before = earlier.map(({ signature }) => signature);
  if (before.some((signature) => signature.clientId === clientId)) throw new DomainError('already_signed');
  if (document.signing === null) throw new DomainError('signature_not_requested');
  if (isSignedOnPaper(document.signing)) throw new DomainError('signed_on_paper');
  // The record contains the statement that the client saw.
  const consent = signatureConsent(bindingMomentOf(document, matter));
  if (body.consent !== consent) throw new DomainError('document_changed');
  if (
    body.sha256 !== document.sha256 ||
    (await isSuperseded(transaction, { documentId, clientId, caseId }))
  ) {
    throw new DomainError('document_changed');
  }
  const files = [document.sha256, ...earlier.map(({ file }) => file?.sha256)];
  if (body.shown_sha256 !== undefined && !files.includes(body.shown_sha256)) {
    throw new DomainError('document_changed', {
      message: 'This document was changed. Please read it again before you sign it.',
    });
  }
  const record: SignatureRecord = {
    id: newId(),
    documentId,
    position: before.length + 1,
    clientId,
    name: await parseName(transaction, { clientId, typed: body.name }),
    method: body.drawing ? 'drawn' : 'typed',
    drawing: body.drawing ? parseDrawing(body.drawing) : null,
    consent,
    signedAt: now,
    address,
    sha256: document.sha256,
    ...(await proveIdentity(transaction, document, { sessionHash, now: laterClock() })),
  };
  // A signature on a damaged file would prove nothing.
  await checkStoredFile(dependencies, { documentId, ...document });
  const mac = sealSignature(signingKey, record, before.at(-1)?.mac ?? null);
  await insertSignature(transaction, { ...record, mac });
  const { title } = document;
  await history.recordSigned(transaction, { caseId, documentId, title, clientId, signedAt: record.signedAt });
  await recordAudit(transaction, {
    occurredAt: record.signedAt,
    actor: await findClientActor(transaction, clientId),
    action: 'document.signed',
    subject: { kind: 'document', id: documentId },
    address,
    after: {
      signature: record.id,
      position: record.position,
      sha256: record.sha256,
      confirmed_with: record.confirmedWith,
    },
  });
  const signed = await findSignedByAll(transaction, [{ documentId, caseId }]);
  if (signed.has(documentId)) {
    await finishSigningTasks(transaction, documentId);
  }
}

/**
 * Requires that the client confirmed their identity in the last five minutes, if the firm asks for that.
 * @returns how the client proved who they are, for the record
 * @throws DomainError `identity_not_confirmed`; `unauthenticated` if the session has ended
 */
async function proveIdentity(
  connection: Connection,
  { confirmIdentity }: DocumentRow,
  { sessionHash, now }: { sessionHash: Buffer; now: Date },
): Promise<Pick<SignatureRecord, 'signedInWith' | 'confirmedWith' | 'confirmedAt'>> {
  const { signedInWith, stepUp } = await findSessionProofs(connection, sessionHash, now);
  if (!confirmIdentity) return { signedInWith, confirmedWith: null, confirmedAt: null };
  assertRecent(stepUp?.at ?? null, now);
  return { signedInWith, confirmedWith: stepUp?.method ?? null, confirmedAt: stepUp?.at ?? null };
}

/**
 * Normalises the typed name and checks that it is the client's own, without characters that change how it is displayed.
 * @throws DomainError `invalid_input`, `name_mismatch`
 */
async function parseName(
  connection: Connection,
  { clientId, typed }: { clientId: string; typed: string },
): Promise<string> {
  const name = typed.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();
  if (!/\p{L}/u.test(name) || [...name].length < 2) throw invalidInput('name', 'must be your full name');
  if (hasHiddenCharacter(name)) throw invalidInput('name', 'must not contain invisible characters');
  if (!matchesClientName(name, await findClientName(connection, clientId)))
    throw new DomainError('name_mismatch');
  return name;
}

function parseDrawing(drawing: NonNullable<SignatureBody['drawing']>) {
  const { width, height, strokes } = drawing;
  for (const [index, stroke] of strokes.entries()) {
    if (stroke.length % 2 === 1) throw invalidInput(`drawing.strokes.${index}`, 'must alternate x and y');
  }
  return { width, height, strokes };
}
