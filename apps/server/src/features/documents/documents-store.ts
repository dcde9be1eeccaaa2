import type { ClientName } from '@keyturn/contract';
import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm';
import type { Connection, Transaction } from '../../platform/database.ts';
import {
  caseClients,
  clients,
  conveyancingCases,
  documentReads,
  documentSignatures,
  documents,
  installation,
  matters,
  signedFiles,
  tasks,
} from '../../platform/tables.ts';
import type { SealedSignature } from './signature-record.ts';

/** The SQL of documents. */

export type DocumentRow = typeof documents.$inferSelect;
export type SignedFileRow = typeof signedFiles.$inferSelect;

/** A document of one of this client's cases. */
export interface OwnDocument {
  clientId: string;
  documentId: string;
}

/** One of this client's cases, by its id or by a document of it; it holds nothing where it is not theirs. */
export type OwnCase = { clientId: string } & ({ caseId: string } | { documentId: string });

const ownCase = (connection: Connection, of: OwnCase) =>
  'caseId' in of
    ? connection
        .select({ id: caseClients.caseId })
        .from(caseClients)
        .where(and(eq(caseClients.caseId, of.caseId), eq(caseClients.clientId, of.clientId)))
    : connection
        .select({ id: matters.caseId })
        .from(documents)
        .innerJoin(matters, eq(matters.id, documents.matterId))
        .innerJoin(caseClients, isClientOfMatter(of.clientId))
        .where(eq(documents.id, of.documentId));

/** Joins a matter with one of its clients alone. */
const isClientOfMatter = (clientId: string) =>
  and(eq(caseClients.caseId, matters.caseId), eq(caseClients.clientId, clientId));

/** Every document of a case, newest first, and when this client has first read each. */
export const findDocumentsOfCase = (connection: Connection, of: OwnCase) =>
  connection
    .select({ document: documents, matterType: matters.matterType, readAt: documentReads.readAt })
    .from(documents)
    .innerJoin(matters, eq(matters.id, documents.matterId))
    .leftJoin(
      documentReads,
      and(eq(documentReads.documentId, documents.id), eq(documentReads.clientId, of.clientId)),
    )
    .where(inArray(matters.caseId, ownCase(connection, of)))
    .orderBy(desc(documents.sharedAt), desc(documents.createdAt), asc(documents.reference));

/** The clients of a case: those whose signature a document of it asks for. */
export const findClientsOfCase = (connection: Connection, of: OwnCase) =>
  connection
    .select({ id: clients.id, firstName: clients.firstName, lastName: clients.lastName })
    .from(caseClients)
    .innerJoin(clients, eq(clients.id, caseClients.clientId))
    .where(inArray(caseClients.caseId, ownCase(connection, of)))
    .orderBy(asc(clients.firstName), asc(clients.lastName), asc(clients.id));

/** A client's own name, as the firm has it. */
export async function findClientName(connection: Connection, clientId: string): Promise<ClientName> {
  const [name] = await connection
    .select({ first_name: clients.firstName, last_name: clients.lastName })
    .from(clients)
    .where(eq(clients.id, clientId));
  if (!name) throw new Error(`there is no client ${clientId}`);
  return name;
}

/** Who has signed what in a case, by the names of the clients and by those they signed with. */
export const findSignersOfCase = (connection: Connection, of: OwnCase) =>
  connection
    .select({
      documentId: documentSignatures.documentId,
      clientId: documentSignatures.clientId,
      firstName: clients.firstName,
      lastName: clients.lastName,
      name: documentSignatures.name,
      signedAt: documentSignatures.signedAt,
    })
    .from(documentSignatures)
    .innerJoin(clients, eq(clients.id, documentSignatures.clientId))
    .innerJoin(documents, eq(documents.id, documentSignatures.documentId))
    .innerJoin(matters, eq(matters.id, documents.matterId))
    .where(inArray(matters.caseId, ownCase(connection, of)))
    .orderBy(asc(documentSignatures.position));

export async function findDocumentOfClient(
  connection: Connection,
  of: OwnDocument,
): Promise<DocumentRow | undefined> {
  const [row] = await connection
    .select({ document: documents })
    .from(documents)
    .innerJoin(matters, eq(matters.id, documents.matterId))
    .innerJoin(caseClients, isClientOfMatter(of.clientId))
    .where(eq(documents.id, of.documentId));
  return row?.document;
}

/** Finds a document of this client's and holds it to the end of the transaction: one signature at a time. */
export async function lockDocument(transaction: Transaction, of: OwnDocument) {
  const [row] = await transaction
    .select({ document: documents, caseId: matters.caseId })
    .from(documents)
    .innerJoin(matters, eq(matters.id, documents.matterId))
    .innerJoin(caseClients, isClientOfMatter(of.clientId))
    .where(eq(documents.id, of.documentId))
    .for('update', { of: documents });
  return row;
}

/** Whether a later version in the same case has taken a document's place. */
export async function isSuperseded(
  transaction: Transaction,
  of: { documentId: string; caseId: string },
): Promise<boolean> {
  const [newer] = await transaction
    .select({ id: documents.id })
    .from(documents)
    .innerJoin(matters, eq(matters.id, documents.matterId))
    .where(and(eq(documents.supersedesId, of.documentId), eq(matters.caseId, of.caseId)))
    .limit(1);
  return newer !== undefined;
}

/** Marks a document read where it is this client's; a second time changes nothing. */
export async function insertRead(connection: Connection, of: OwnDocument, readAt: Date): Promise<void> {
  const theirs = connection
    .select({
      documentId: documents.id,
      clientId: caseClients.clientId,
      readAt: sql<Date>`${readAt.toISOString()}::timestamptz`.as('read_at'),
    })
    .from(documents)
    .innerJoin(matters, eq(matters.id, documents.matterId))
    .innerJoin(caseClients, isClientOfMatter(of.clientId))
    .where(eq(documents.id, of.documentId));
  await connection.insert(documentReads).select(theirs).onConflictDoNothing();
}

/** The signatures of a document in the order in which they were given: whose each is, and the file made for it. */
export async function findSignatures(
  connection: Connection,
  documentId: string,
): Promise<{ signature: SealedSignature; client: ClientName; file: SignedFileRow | null }[]> {
  return connection
    .select({
      signature: documentSignatures,
      client: { first_name: clients.firstName, last_name: clients.lastName },
      file: signedFiles,
    })
    .from(documentSignatures)
    .innerJoin(clients, eq(clients.id, documentSignatures.clientId))
    .leftJoin(signedFiles, eq(signedFiles.signatureId, documentSignatures.id))
    .where(eq(documentSignatures.documentId, documentId))
    .orderBy(asc(documentSignatures.position));
}

export async function insertSignature(transaction: Transaction, signature: SealedSignature): Promise<void> {
  await transaction.insert(documentSignatures).values(signature);
  await transaction
    .update(documents)
    .set({ updatedAt: sql`now()` })
    .where(eq(documents.id, signature.documentId));
}

/** Whether every client of a case has signed a document. */
export async function isSignedByAll(
  transaction: Transaction,
  of: { documentId: string; caseId: string },
): Promise<boolean> {
  const [missing] = await transaction
    .select({ clientId: caseClients.clientId })
    .from(caseClients)
    .leftJoin(
      documentSignatures,
      and(
        eq(documentSignatures.clientId, caseClients.clientId),
        eq(documentSignatures.documentId, of.documentId),
      ),
    )
    .where(and(eq(caseClients.caseId, of.caseId), sql`${documentSignatures.id} is null`))
    .limit(1);
  return missing === undefined;
}

/** The tasks that asked for the signatures on a document are done. */
export async function finishSigningTasks(transaction: Transaction, documentId: string): Promise<void> {
  await transaction
    .update(tasks)
    .set({ status: 'done', updatedAt: sql`now()` })
    .where(and(eq(tasks.documentId, documentId), eq(tasks.kind, 'sign_document'), eq(tasks.status, 'open')));
}

/** Stores which file was made for a signature. Whoever comes second changes nothing. @returns the one that stands */
export async function storeSignedFile(connection: Connection, file: SignedFileRow): Promise<SignedFileRow> {
  await connection.insert(signedFiles).values(file).onConflictDoNothing();
  const [row] = await connection
    .select()
    .from(signedFiles)
    .where(eq(signedFiles.signatureId, file.signatureId));
  if (!row) throw new Error('the signed file was not stored');
  return row;
}

/** A document by its id alone, with its case and the firm: for the signature page and the command line. */
export async function findDocument(connection: Connection, documentId: string) {
  const [row] = await connection
    .select({ document: documents, caseReference: conveyancingCases.reference, firm: installation.firm })
    .from(documents)
    .innerJoin(matters, eq(matters.id, documents.matterId))
    .innerJoin(conveyancingCases, eq(conveyancingCases.id, matters.caseId))
    .crossJoin(installation)
    .where(eq(documents.id, documentId));
  return row;
}

/** Which document a signature is on. @returns undefined where the id is no signature's */
export async function findDocumentOfRecord(
  connection: Connection,
  signatureId: string,
): Promise<string | undefined> {
  const [row] = await connection
    .select({ documentId: documentSignatures.documentId })
    .from(documentSignatures)
    .where(eq(documentSignatures.id, signatureId));
  return row?.documentId;
}

/** Which documents a file is the signed copy of. */
export const findDocumentsBySignedFile = (connection: Connection, sha256: string) =>
  connection
    .select({ documentId: documentSignatures.documentId, signatureId: signedFiles.signatureId })
    .from(signedFiles)
    .innerJoin(documentSignatures, eq(documentSignatures.id, signedFiles.signatureId))
    .where(eq(signedFiles.sha256, sha256));

/** Which documents a file is the original of. */
export const findDocumentsByOriginal = (connection: Connection, sha256: string) =>
  connection
    .select({ id: documents.id, title: documents.title })
    .from(documents)
    .where(eq(documents.sha256, sha256))
    .orderBy(asc(documents.reference));

/** What this installation signs with. */
export async function readSecret(connection: Connection): Promise<string> {
  const [row] = await connection.select({ secret: installation.secret }).from(installation);
  if (!row) throw new Error('the installation has no row');
  return row.secret;
}
