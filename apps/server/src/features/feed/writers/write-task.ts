import type { FeedRecord } from '@keyturn/contract';
import { isSignedByAll } from '../../../platform/signed-by-all.ts';
import * as tables from '../../../platform/tables/tables.ts';
import { findPaymentOfSearch, type Known, lockSignedFile, upsert } from '../feed-store.ts';
import { RecordRejected } from '../read-document.ts';
import type { RecordContext } from '../record-context.ts';
import { assertParentUnchanged, find, findInCase, findInMatter } from './find-references.ts';

/** Writes a task. One that a payment or a signature has completed stays done. */
export async function writeTask(record: FeedRecord<'tasks'>, context: RecordContext): Promise<Known> {
  const { transaction, id, isNew, hash } = context;
  const caseId = find(context, 'cases', record.case, '/case').id;
  const parent = assertParentUnchanged(context, 'tasks', record.reference, '/case', caseId);
  const matter = findInCase(context, 'matters', record.matter, '/matter', parent);
  const idOf = (list: 'searches' | 'documents', reference: string | undefined, field: string) => {
    const named = findInCase(context, list, reference, field, parent);
    return (matter ? findInMatter(context, list, reference, field, matter.id) : named)?.id ?? null;
  };
  if (record.kind === 'pay_search' && record.search === undefined)
    throw new RecordRejected('/search', 'is required');
  if (record.kind === 'pay' && record.amount === undefined)
    throw new RecordRejected('/amount', 'is required');
  await upsert(transaction, tables.tasks, !isNew, {
    id,
    caseId: parent,
    matterId: matter?.id ?? null,
    reference: record.reference,
    kind: record.kind,
    title: record.title,
    explanation: record.explanation,
    dueOn: record.due_on ?? null,
    status: await statusOfTask(record, context),
    caseSearchId: idOf('searches', record.search, '/search'),
    documentId: idOf('documents', record.document, '/document'),
    amount: record.amount ?? null,
    position: context.position,
    feedHash: hash,
  });
  return { id, hash, parent, caseId: parent };
}

/** A task to pay for a paid search, or to sign a fully signed document, stays done even if an older feed says open. */
async function statusOfTask(record: FeedRecord<'tasks'>, context: RecordContext): Promise<'open' | 'done'> {
  if (record.kind === 'sign_document' && record.status === 'open' && record.document !== undefined) {
    const documentId = find(context, 'documents', record.document, '/document').id;
    await lockSignedFile(context.transaction, documentId);
    const isSigned = await isSignedByAll(context.transaction, {
      documentId,
      caseId: find(context, 'cases', record.case, '/case').id,
    });
    return isSigned ? 'done' : 'open';
  }
  if (record.kind !== 'pay_search' || record.status === 'done' || record.search === undefined)
    return record.status;
  const payment = await findPaymentOfSearch(
    context.transaction,
    find(context, 'searches', record.search, '/search').id,
  );
  return payment?.paidAt ? 'done' : 'open';
}
