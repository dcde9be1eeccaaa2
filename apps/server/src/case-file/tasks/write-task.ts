import type { FeedRecord } from '@keyturn/contract';
import { sql } from 'drizzle-orm';
import { findSignedByAll } from '../../platform/signed-by-all.ts';
import * as tables from '../../schema/tables/tables.ts';
import { writeRows } from '../../schema/write-rows.ts';
import { lockDocuments } from '../documents/write-document.ts';
import { storedColumns } from '../records/define-record.ts';
import type { RecordWriter, WriterContext } from '../records/record-writer.ts';
import { assertParentUnchanged, find, findInMatter, findReferenceInCase } from '../records/references.ts';
import { RecordRejected } from '../records/rejected-record.ts';
import { findPaymentsOfSearches } from '../searches/payments-of-searches.ts';
import { taskRecord } from './task-record.ts';

/** Writes tasks. Tasks that a payment or a signature has completed stay done, and those of a withdrawn document as well. */
export async function openTaskWriter(context: WriterContext<'tasks'>): Promise<RecordWriter<'tasks'>> {
  const withdrawn = await findWithdrawn(context);
  const completed = await findCompleted(context);
  const rows: { isNew: boolean; row: typeof tables.tasks.$inferInsert }[] = [];
  return {
    plan: ({ record, id, isNew, sent, position }) => {
      const caseId = find(context, 'cases', record.case, '/case').id;
      const parent = assertParentUnchanged(context, 'tasks', record.reference, '/case', caseId);
      const matter = findReferenceInCase(context, 'matters', record.matter, '/matter', parent);
      const idOf = (list: 'searches' | 'documents', reference: string | undefined, field: string) => {
        const named = findReferenceInCase(context, list, reference, field, parent);
        return (matter ? findInMatter(context, list, reference, field, matter.id) : named)?.id ?? null;
      };
      checkRequired(record);
      const caseSearchId = idOf('searches', record.search, '/search');
      const documentId = idOf('documents', record.document, '/document');
      const isCompleted =
        (record.kind === 'pay_search' && completed.has(caseSearchId ?? '')) ||
        (record.kind === 'sign_document' && completed.has(documentId ?? ''));
      const status = isCompleted ? 'done' : record.status;
      if (status === 'open' && withdrawn.has(documentId ?? ''))
        throw new RecordRejected(
          '/document',
          `refers to "${record.document}", which was withdrawn, so the task cannot be open`,
        );
      const row = {
        ...storedColumns(taskRecord, record),
        id,
        caseId: parent,
        matterId: matter?.id ?? null,
        status,
        position,
      };
      rows.push({
        isNew,
        row: { ...row, caseSearchId, documentId, feedHash: sent.hash, feedSentAt: sent.sentAt },
      });
      return { id, ...sent, parent, caseId: parent };
    },
    write: () => writeRows(context.transaction, tables.tasks, rows),
  };
}

function checkRequired({ kind, search, amount }: FeedRecord<'tasks'>): void {
  if (kind === 'pay_search' && search === undefined) throw new RecordRejected('/search', 'is required');
  if (kind === 'pay' && amount === undefined) throw new RecordRejected('/amount', 'is required');
}

const openIn = (changes: WriterContext<'tasks'>['changes']) =>
  changes.map(({ record }) => record).filter(({ status }) => status === 'open');

/**
 * Locks the documents of open tasks, and waits for signatures and withdrawals in progress.
 * @returns the ids of those that were withdrawn
 */
async function findWithdrawn({ transaction, known, changes }: WriterContext<'tasks'>): Promise<Set<string>> {
  const ids = openIn(changes).flatMap(({ document }) => known.documents.get(document ?? '')?.id ?? []);
  if (ids.length === 0) return new Set();
  await lockDocuments(transaction, ids);
  const { rows } = await transaction.execute<{ id: string }>(
    sql`select id from documents where id = any(${sql.param(ids)}::uuid[]) and withdrawn_at is not null`,
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Finds the payments and signatures that keep tasks done even if an older feed says that they are open.
 * Expects the documents to be locked.
 * @returns the ids of paid searches and of documents that every client has signed
 */
async function findCompleted({ transaction, known, changes }: WriterContext<'tasks'>): Promise<Set<string>> {
  const open = openIn(changes);
  const idsOf = (list: 'searches' | 'documents' | 'cases', reference: string | undefined) =>
    known[list].get(reference ?? '')?.id;
  const searches = open.flatMap(({ kind, search }) =>
    kind === 'pay_search' ? (idsOf('searches', search) ?? []) : [],
  );
  const toSign = open.flatMap(({ kind, document, case: ofCase }) => {
    const documentId = idsOf('documents', document);
    const caseId = idsOf('cases', ofCase);
    return kind === 'sign_document' && documentId && caseId ? [{ documentId, caseId }] : [];
  });
  const payments = await findPaymentsOfSearches(transaction, searches);
  const completed = new Set([...payments.entries()].flatMap(([id, { paidAt }]) => (paidAt ? [id] : [])));
  if (toSign.length === 0) return completed;
  for (const id of await findSignedByAll(transaction, toSign)) completed.add(id);
  return completed;
}
