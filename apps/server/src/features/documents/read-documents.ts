import { type CaseDocument, signatureConsent } from '@keyturn/contract';
import { bindingMomentOf } from '../../platform/binding-moment.ts';
import type { Connection } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import { findActiveCase } from '../../platform/reads/active-case.ts';
import { type DocumentVersion, versionsOf } from './document-versions.ts';
import {
  findClientsOfCase,
  findDocumentsOfCase,
  findSignersOfCase,
  type OwnCase,
  type OwnDocument,
} from './documents-store.ts';

/** Reads every document of the client's active case, newest first, including earlier versions. */
export async function readDocuments(connection: Connection, clientId: string): Promise<CaseDocument[]> {
  const activeCase = await findActiveCase(connection, clientId);
  return activeCase ? readDocumentsOfCase(connection, { clientId, caseId: activeCase.id }) : [];
}

/**
 * Reads one document of any of the client's cases.
 * @throws DomainError `not_found`, the same for an unknown document and another client's
 */
export async function readDocument(connection: Connection, query: OwnDocument): Promise<CaseDocument> {
  const found = isId(query.documentId) ? await readDocumentsOfCase(connection, query) : [];
  const document = found.find(({ id }) => id === query.documentId);
  if (!document) throw new DomainError('not_found');
  return document;
}

/** Reads all documents of a case in three statements; versions can only be determined together. */
async function readDocumentsOfCase(connection: Connection, query: OwnCase): Promise<CaseDocument[]> {
  const [rows, clientsOfCase, signers] = await Promise.all([
    findDocumentsOfCase(connection, query),
    findClientsOfCase(connection, query),
    findSignersOfCase(connection, query),
  ]);
  const versionOf = versionsOf(rows.map(({ document }) => document));
  return rows.map((row) => {
    const version = versionOf(row.document.id);
    const signed = signers.filter(({ documentId }) => documentId === row.document.id);
    return asCaseDocument(
      row,
      version,
      row.document.signing !== null || signed.length > 0
        ? signatureOf(row, query.clientId, version, clientsOfCase, signed)
        : null,
    );
  });
}

type Row = Awaited<ReturnType<typeof findDocumentsOfCase>>[number];
type ClientOfCase = Awaited<ReturnType<typeof findClientsOfCase>>[number];
type Signer = Awaited<ReturnType<typeof findSignersOfCase>>[number];

function signatureOf(
  { document, matter }: Row,
  clientId: string,
  { supersededBy }: DocumentVersion,
  clientsOfCase: ClientOfCase[],
  signed: Signer[],
): CaseDocument['signature'] {
  const mine = signed.find((signer) => signer.clientId === clientId);
  const others = clientsOfCase
    .filter(({ id }) => id !== clientId)
    .map((client) => ({
      ...client,
      signedAt: signed.find((signer) => signer.clientId === client.id)?.signedAt ?? null,
    }));
  // A client who has left the case is still listed as a signer.
  const gone = signed.filter(
    (signer) => signer.clientId !== clientId && !others.some(({ id }) => id === signer.clientId),
  );
  const { signing, receivedOn } = document;
  const isAskedFor = signing !== null;
  const bindsOn = bindingMomentOf(document, matter);
  return {
    signing,
    binds_on: bindsOn,
    consent: signing === 'simple' ? signatureConsent(bindsOn) : null,
    received_on: receivedOn,
    required: isAskedFor && !mine && receivedOn === null && supersededBy === null,
    signed_at: mine?.signedAt.toISOString() ?? null,
    signed_by: mine?.name ?? null,
    others: [...(isAskedFor ? others : others.filter(({ signedAt }) => signedAt)), ...gone].map(
      ({ firstName, lastName, signedAt }) => ({
        name: `${firstName} ${lastName}`,
        signed_at: signedAt?.toISOString() ?? null,
      }),
    ),
  };
}

function asCaseDocument(
  { document, matter, readAt }: Row,
  { supersedes, supersededBy, version }: DocumentVersion,
  signature: CaseDocument['signature'],
): CaseDocument {
  return {
    id: document.id,
    created_at: document.createdAt.toISOString(),
    updated_at: document.updatedAt.toISOString(),
    matter_id: document.matterId,
    matter_type: matter.matterType,
    group: document.group,
    title: document.title,
    file_name: document.fileName,
    media_type: document.mediaType,
    size: document.size,
    pages: document.pages,
    sha256: document.sha256,
    uploaded_by: document.uploadedBy,
    shared_at: document.sharedAt.toISOString(),
    read_at: readAt?.toISOString() ?? null,
    supersedes,
    superseded_by: supersededBy,
    version,
    signature,
  };
}
