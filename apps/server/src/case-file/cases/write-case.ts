import * as tables from '../../schema/tables/tables.ts';
import { writeRows } from '../../schema/write-rows.ts';
import { createErasedCheck } from '../people/reject-erased.ts';
import { replaceCaseClients } from '../people/replace-case-clients.ts';
import { storedColumns } from '../records/define-record.ts';
import type { RecordWriter, WriterContext } from '../records/record-writer.ts';
import { find } from '../records/references.ts';
import { caseRecord } from './case-record.ts';

/** Writes cases and the clients who may see them. */
export async function openCaseWriter(context: WriterContext<'cases'>): Promise<RecordWriter<'cases'>> {
  const rows: { isNew: boolean; row: typeof tables.conveyancingCases.$inferInsert }[] = [];
  const pairs: { caseId: string; clientId: string }[] = [];
  const rejectErased = await createErasedCheck(
    context.transaction,
    'case',
    context.changes.flatMap(({ record, isNew }) => (isNew ? record.reference : [])),
  );
  return {
    plan: ({ record, id, isNew, sent }) => {
      if (isNew) rejectErased(record.reference);
      const clientIds = record.clients.map(
        (client, index) => find(context, 'clients', client, `/clients/${index}`).id,
      );
      rows.push({
        isNew,
        row: { ...storedColumns(caseRecord, record), id, feedHash: sent.hash, feedSentAt: sent.sentAt },
      });
      pairs.push(...[...new Set(clientIds)].map((clientId) => ({ caseId: id, clientId })));
      return { id, ...sent, parent: '', caseId: id };
    },
    write: async () => {
      await writeRows(context.transaction, tables.conveyancingCases, rows);
      await replaceCaseClients(context.transaction, pairs);
    },
  };
}
