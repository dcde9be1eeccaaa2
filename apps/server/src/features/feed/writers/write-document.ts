import { type FeedRecord, isSignedOnPaper } from '@keyturn/contract';
import * as tables from '../../../platform/tables/tables.ts';
import { type Known, lockSignedFile, upsert } from '../feed-store.ts';
import { findPrepared, readPrepared } from '../prepare-documents.ts';
import { RecordRejected } from '../read-document.ts';
import type { RecordContext } from '../record-context.ts';
import { assertParentUnchanged, find, findInMatter, instantOf } from './find-references.ts';

/** Writes a document and stores its file. What was signed does not change. */
export async function writeDocument(record: FeedRecord<'documents'>, context: RecordContext): Promise<Known> {
  const { dependencies, transaction, id, isNew, hash } = context;
  const matter = find(context, 'matters', record.matter, '/matter');
  const parent = assertParentUnchanged(context, 'documents', record.reference, '/matter', matter.id);
  const file = findPrepared(context.files, record);
  const supersedes = findInMatter(context, 'documents', record.supersedes, '/supersedes', parent);
  if (supersedes?.id === id) throw new RecordRejected('/supersedes', 'refers to the document itself');
  checkSigning(record);
  const before = isNew ? undefined : await lockSignedFile(transaction, id);
  if (before?.isSigned && before.sha256 !== file.sha256) {
    throw new RecordRejected(
      '/file',
      'cannot change because the document is signed; send a new document that supersedes it',
    );
  }
  if (before?.isSigned && isSignedOnPaper(record.signing ?? null)) {
    throw new RecordRejected(
      '/signing',
      'cannot change because the document is signed; send a new document that supersedes it',
    );
  }
  await upsert(transaction, tables.documents, !isNew, {
    id,
    matterId: parent,
    reference: record.reference,
    group: record.group,
    title: record.title,
    fileName: file.fileName,
    mediaType: file.mediaType,
    size: file.size,
    pages: record.pages ?? null,
    sha256: await dependencies.files.put(await readPrepared(context.folder, record, file)),
    uploadedBy: record.uploaded_by,
    sharedAt: instantOf(record.shared_at, '/shared_at'),
    supersedesId: supersedes?.id ?? null,
    signing: record.signing ?? null,
    bindsOn: record.binds_on ?? null,
    receivedOn: record.received_on ?? null,
    feedHash: hash,
  });
  return { id, hash, parent, caseId: matter.caseId };
}

function checkSigning({ signing, binds_on, received_on }: FeedRecord<'documents'>): void {
  if (binds_on !== undefined && signing === undefined) {
    throw new RecordRejected('/binds_on', 'needs signing');
  }
  if (received_on !== undefined && !isSignedOnPaper(signing ?? null)) {
    throw new RecordRejected('/received_on', 'is only for a document with signing deed or wet_ink');
  }
}
