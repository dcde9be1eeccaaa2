import {
  type BindingMoment,
  becomesContract,
  confirmsIdentityByDefault,
  type DocumentGroup,
  type FeedRecord,
  isSignedOnPaper,
  type SigningMethod,
} from '@keyturn/contract';
import { inArray, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database.ts';
import { feedFiles } from '../../schema/tables/feed-key-tables.ts';
import * as tables from '../../schema/tables/tables.ts';
import { writeRows } from '../../schema/write-rows.ts';
import { isForSigning, type PreparedFile } from '../import/documents/prepare-documents.ts';
import { storedColumns } from '../records/define-record.ts';
import type { RecordWriter, WriterContext } from '../records/record-writer.ts';
import { assertParentUnchanged, find, findInMatter } from '../records/references.ts';
import { RecordRejected } from '../records/rejected-record.ts';
import { findNamedClients } from './audience/find-named-clients.ts';
import { planAudience } from './audience/plan-audience.ts';
import { documentRecord } from './document-record.ts';
import { planOriginals } from './paper/originals.ts';

/** Writes documents after their files were stored. Signed documents keep their files. */
export async function openDocumentWriter(
  context: WriterContext<'documents'>,
): Promise<RecordWriter<'documents'>> {
  const { transaction, changes } = context;
  const ids = changes.flatMap(({ id, isNew }) => (isNew ? [] : [id]));
  const stored = await findStored(transaction, ids);
  const namedClients = await findNamedClients(
    transaction,
    changes.map(({ record }) => record),
    ids,
  );
  const rows: { isNew: boolean; row: typeof tables.documents.$inferInsert }[] = [];
  return {
    plan: ({ record, id, isNew, sent, file }) => {
      if (file === null) throw new Error(`the file of document ${record.reference} was not prepared`);
      const matter = find(context, 'matters', record.matter, '/matter');
      const parent = assertParentUnchanged(context, 'documents', record.reference, '/matter', matter.id);
      const supersedes = findInMatter(context, 'documents', record.supersedes, '/supersedes', parent);
      if (supersedes?.id === id) throw new RecordRejected('/supersedes', 'refers to the document itself');
      // The desk has asked for signatures since the file was checked.
      if (isForSigning(record) && !file.isForSigning)
        throw new RecordRejected('/signing', 'was changed by someone else: send the document again');
      checkSigning(record);
      const before = stored.get(id);
      if (before?.isSigned) checkSigned(record, file, before);
      const named = namedClients.get(matter.caseId) ?? [];
      const row = {
        ...storedColumns(documentRecord, record),
        ...fileColumns(file),
        ...planOriginals(record, named),
        forClientId: planAudience(record, named, before),
        confirmIdentity:
          record.confirm_identity ??
          (before?.signing === 'simple'
            ? before.confirmIdentity || becomesContract(before, record)
            : confirmsIdentityByDefault(record)),
        id,
        matterId: parent,
        supersedesId: supersedes?.id ?? null,
      };
      rows.push({ isNew, row: { ...row, feedHash: sent.hash, feedSentAt: sent.sentAt } });
      return { id, ...sent, parent, caseId: matter.caseId };
    },
    write: async () => {
      await writeRows(transaction, tables.documents, rows);
      const references = rows.map(({ row: { reference } }) => reference);
      await transaction.delete(feedFiles).where(inArray(feedFiles.reference, references));
    },
  };
}

const fileColumns = ({ fileName, mediaType, size, sha256 }: PreparedFile) => ({
  fileName,
  mediaType,
  size,
  sha256,
});

interface StoredDocument {
  id: string;
  sha256: string;
  signing: SigningMethod | null;
  group: DocumentGroup;
  binds_on: BindingMoment | null;
  confirmIdentity: boolean;
  forClientId: string | null;
  isSigned: boolean;
}

/**
 * Locks documents, and waits for signatures in progress.
 * @returns them by id
 */
async function findStored(
  transaction: Transaction,
  ids: readonly string[],
): Promise<Map<string, StoredDocument>> {
  await lockDocuments(transaction, ids);
  const { rows } = await transaction.execute<StoredDocument & Record<string, unknown>>(sql`
    select id, sha256, signing, "group", binds_on, confirm_identity as "confirmIdentity", for_client_id as "forClientId",
      exists (select from document_signatures where document_id = documents.id) as "isSigned"
    from documents where id = any(${sql.param(ids)}::uuid[])`);
  return new Map(rows.map((row) => [row.id, row]));
}

export const lockDocuments = (transaction: Transaction, ids: readonly string[]) =>
  transaction.execute(
    sql`select from documents where id = any(${sql.param(ids)}::uuid[]) order by id for update`,
  );

function checkSigned(
  { signing, confirm_identity }: FeedRecord<'documents'>,
  { sha256 }: PreparedFile,
  signed: StoredDocument,
): void {
  // Some clients have signed with a confirmed identity, so the others do too.
  if (signed.confirmIdentity && confirm_identity === false)
    throw new RecordRejected('/confirm_identity', 'cannot be switched off because the document is signed');
  const field = signed.sha256 !== sha256 ? '/file' : isSignedOnPaper(signing ?? null) ? '/signing' : null;
  if (field === null) return;
  throw new RecordRejected(
    field,
    'cannot change because the document is signed; send a new document that supersedes it',
  );
}

function checkSigning({ signing, binds_on, received_on }: FeedRecord<'documents'>): void {
  if (binds_on !== undefined && signing === undefined) {
    throw new RecordRejected('/binds_on', 'needs signing');
  }
  if (received_on !== undefined && !isSignedOnPaper(signing ?? null)) {
    throw new RecordRejected('/received_on', 'is only for a document with signing deed or wet_ink');
  }
}
