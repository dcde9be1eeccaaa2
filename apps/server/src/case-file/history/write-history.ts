import * as tables from '../../schema/tables/tables.ts';
import { assertParentUnchanged, find, instantOf } from '../records/find-references.ts';
import type { RecordWriter, WriterContext } from '../records/record-writer.ts';
import { writeRows } from '../records/write-rows.ts';

/** Writes entries of the history of cases. */
export async function openHistoryWriter(context: WriterContext<'history'>): Promise<RecordWriter<'history'>> {
  const rows: { isNew: boolean; row: typeof tables.historyEntries.$inferInsert }[] = [];
  return {
    plan: ({ record, id, isNew, sent }) => {
      const caseId = find(context, 'cases', record.case, '/case').id;
      const parent = assertParentUnchanged(context, 'history', record.reference, '/case', caseId);
      const row = {
        id,
        caseId: parent,
        reference: record.reference,
        occurredAt: instantOf(record.occurred_at, '/occurred_at'),
        category: record.category,
        actor: record.actor,
        summary: record.summary,
        feedHash: sent.hash,
        feedSentAt: sent.sentAt,
      };
      rows.push({ isNew, row });
      return { id, ...sent, parent, caseId: parent };
    },
    write: () => writeRows(context.transaction, tables.historyEntries, rows),
  };
}
