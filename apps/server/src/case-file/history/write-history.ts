import * as tables from '../../schema/tables/tables.ts';
import { writeRows } from '../../schema/write-rows.ts';
import { storedColumns } from '../records/define-record.ts';
import type { RecordWriter, WriterContext } from '../records/record-writer.ts';
import { assertParentUnchanged, find } from '../records/references.ts';
import { historyRecord } from './history-record.ts';

/** Writes entries of the history of cases. */
export async function openHistoryWriter(context: WriterContext<'history'>): Promise<RecordWriter<'history'>> {
  const rows: { isNew: boolean; row: typeof tables.historyEntries.$inferInsert }[] = [];
  return {
    plan: ({ record, id, isNew, sent }) => {
      const caseId = find(context, 'cases', record.case, '/case').id;
      const parent = assertParentUnchanged(context, 'history', record.reference, '/case', caseId);
      const row = {
        ...storedColumns(historyRecord, record),
        id,
        caseId: parent,
        feedHash: sent.hash,
        feedSentAt: sent.sentAt,
      };
      rows.push({ isNew, row });
      return { id, ...sent, parent, caseId: parent };
    },
    write: () => writeRows(context.transaction, tables.historyEntries, rows),
  };
}
