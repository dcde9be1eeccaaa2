import type { ClientName } from '@keyturn/contract';
import { and, asc, eq, sql } from 'drizzle-orm';
import type { Connection, Transaction } from '../../platform/database.ts';
import { newId } from '../../platform/ids.ts';
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
} from '../../schema/tables/tables.ts';
import { completeTasks, recordTaskCompletions } from '../tasks/complete-tasks.ts';
import type { SealedSignature } from './signature-record.ts';

/* The SQL of documents. */

export type DocumentRow = typeof documents.$inferSelect;
export type SignedFileRow = typeof signedFiles.$inferSelect;

/** A document and the client whose case it must be on. */
export interface OwnDocument {
  clientId: string;
  documentId: string;
}

/** Join condition: the client is on the matter's case. */
const isClientOfMatter = (clientId: string) =>
  and(eq(caseClients.caseId, matters.caseId), eq(caseClients.clientId, clientId));

/** Condition: the document is this one, and the client can see it. */
const isShared = ({ documentId, clientId }: OwnDocument) =>
  and(eq(documents.id, documentId), sql`is_shown_to(${documents}, ${clientId})`);

/** Finds a client's name as the firm has it. */
export async function findClientName(connection: Connection, clientId: string): Promise<ClientName> {
  const [name] = await connection
    .select({ first_name: clients.firstName, last_name: clients.lastName })
    .from(clients)
    .where(eq(clients.id, clientId));
  if (!name) throw new Error(`there is no client ${clientId}`);
  return name;
}

export async function findDocumentOfClient(
  connection: Connection,
  query: OwnDocument,
): Promise<DocumentRow | undefined> {
  const [row] = await connection
    .select({ document: documents })
    .from(documents)
    .innerJoin(matters, eq(matters.id, documents.matterId))
    .innerJoin(caseClients, isClientOfMatter(query.clientId))
    .where(isShared(query));
  return row?.document;
}

/** Finds a document of this client and locks its row, so that signatures are made one at a time. */
export async function lockDocument(transaction: Transaction, query: OwnDocument) {
  const [row] = await transaction
    .select({
      document: documents,
      caseId: matters.caseId,
      matter: { matterType: matters.matterType, exchangedOn: matters.exchangedOn },
    })
    .from(documents)
    .innerJoin(matters, eq(matters.id, documents.matterId))
    .innerJoin(caseClients, isClientOfMatter(query.clientId))
    .where(isShared(query))
    .for('update', { of: documents });
  return row;
}

/** Whether a later version in the same case that the client can see supersedes the document. */
export async function isSuperseded(
  transaction: Transaction,
  query: OwnDocument & { caseId: string },
): Promise<boolean> {
  const [newer] = await transaction
    .select({ id: documents.id })
    .from(documents)
    .innerJoin(matters, eq(matters.id, documents.matterId))
    .where(
      and(
        eq(documents.supersedesId, query.documentId),
        eq(matters.caseId, query.caseId),
        sql`is_shown_to(${documents}, ${query.clientId})`,
      ),
    )
    .limit(1);
  return newer !== undefined;
}

/** Marks a document of this client as read; a second call changes nothing. */
export async function insertRead(transaction: Transaction, query: OwnDocument, readAt: Date): Promise<void> {
  const ownDocument = transaction
    .select({
      documentId: documents.id,
      clientId: caseClients.clientId,
      readAt: sql<Date>`${readAt.toISOString()}::timestamptz`.as('read_at'),
    })
    .from(documents)
    .innerJoin(matters, eq(matters.id, documents.matterId))
    .innerJoin(caseClients, isClientOfMatter(query.clientId))
    .where(isShared(query));
  await transaction.insert(documentReads).select(ownDocument).onConflictDoNothing();
}

/** Finds the signatures of a document in order, each with its client and its signed copy. */
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

/** Completes the tasks to sign a document, which a client has signed. */
export async function finishSigningTasks(transaction: Transaction, documentId: string): Promise<void> {
  const completed = completeTasks(sql`document_id = ${documentId} and kind = 'sign_document'`);
  await transaction.execute(sql`with done as (${completed}) ${recordTaskCompletions}`);
}

/**
 * Stores the signed copy of a signature. The first one stored wins.
 * @returns the stored one
 */
export async function storeSignedFile(connection: Connection, file: SignedFileRow): Promise<SignedFileRow> {
  await connection.insert(signedFiles).values(file).onConflictDoNothing();
  const [row] = await connection
    .select()
    .from(signedFiles)
    .where(eq(signedFiles.signatureId, file.signatureId));
  if (!row) throw new Error('the signed file was not stored');
  return row;
}

/** Finds any document with its case and the firm, for the signature page and the command line. */
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

/** Finds the document of a signature; undefined for an unknown signature. */
export async function findDocumentOfSignature(
  connection: Connection,
  signatureId: string,
): Promise<string | undefined> {
  const [row] = await connection
    .select({ documentId: documentSignatures.documentId })
    .from(documentSignatures)
    .where(eq(documentSignatures.id, signatureId));
  return row?.documentId;
}

/** Finds the documents whose signed copy has this SHA-256. */
export const findDocumentsBySignedFile = (connection: Connection, sha256: string) =>
  connection
    .select({ documentId: documentSignatures.documentId, signatureId: signedFiles.signatureId })
    .from(signedFiles)
    .innerJoin(documentSignatures, eq(documentSignatures.id, signedFiles.signatureId))
    .where(eq(signedFiles.sha256, sha256));

/** Finds the documents whose original has this SHA-256. */
export const findDocumentsByOriginal = (connection: Connection, sha256: string) =>
  connection
    .select({ id: documents.id, title: documents.title })
    .from(documents)
    .where(eq(documents.sha256, sha256))
    .orderBy(asc(documents.reference));

/** Reads the installation's secret, from which keys are derived. */
export async function readSecret(connection: Connection): Promise<string> {
  const [row] = await connection.select({ secret: installation.secret }).from(installation);
  if (!row) throw new Error('the installation has no row');
  return row.secret;
}

/** A document that Keyturn makes, such as a client's request. Its file is stored, and its reference is from `deskReference`. */
type FiledDocument = Required<
  Pick<
    typeof documents.$inferInsert,
    | 'matterId'
    | 'reference'
    | 'group'
    | 'title'
    | 'fileName'
    | 'mediaType'
    | 'size'
    | 'sha256'
    | 'uploadedBy'
    | 'sharedAt'
  >
>;

/**
 * Adds a document to a matter.
 * @returns its id; null if a document with its reference exists
 */
export async function fileDocument(
  transaction: Transaction,
  document: FiledDocument,
): Promise<string | null> {
  const [filed] = await transaction
    .insert(documents)
    .values({ id: newId(), ...document })
    .onConflictDoNothing({ target: documents.reference })
    .returning({ id: documents.id });
  return filed?.id ?? null;
}
