import type { CaseStatus } from '@keyturn/contract';
import { sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database.ts';
import * as tables from '../../schema/tables/tables.ts';
import { writeRows } from '../../schema/write-rows.ts';
import { createErasedCheck } from '../people/reject-erased.ts';
import { replaceCaseClients } from '../people/replace-case-clients.ts';
import { storedColumns } from '../records/define-record.ts';
import type { RecordWriter, WriterContext } from '../records/record-writer.ts';
import { find } from '../records/references.ts';
import { RecordRejected } from '../records/rejected-record.ts';
import { findCancellationProblem } from './cancellation.ts';
import { caseRecord } from './case-record.ts';

/** Writes cases and the clients who may see them. */
export async function openCaseWriter(context: WriterContext<'cases'>): Promise<RecordWriter<'cases'>> {
  const rows: { isNew: boolean; row: typeof tables.conveyancingCases.$inferInsert }[] = [];
  const pairs: { caseId: string; clientId: string }[] = [];
  const stored = await readStored(
    context.transaction,
    context.changes.flatMap(({ id, isNew }) => (isNew ? [] : id)),
  );
  const rejectErased = await createErasedCheck(
    context.transaction,
    'case',
    context.changes.flatMap(({ record, isNew }) => (isNew ? record.reference : [])),
  );
  return {
    plan: ({ record, id, isNew, sent }) => {
      if (isNew) rejectErased(record.reference);
      const problem = findCancellationProblem(record);
      if (problem) throw new RecordRejected(`/${problem.field}`, problem.reason);
      const clientIds = record.clients.map(
        (client, index) => find(context, 'clients', client, `/clients/${index}`).id,
      );
      rows.push({
        isNew,
        row: {
          ...storedColumns(caseRecord, record),
          ...(record.cancellation === undefined ? cancellationOf(stored.get(id)) : {}),
          id,
          feedHash: sent.hash,
          feedSentAt: sent.sentAt,
          closedAt: closingOf(record.status, stored.get(id), context.clock()),
        },
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

type Stored = Pick<
  typeof tables.conveyancingCases.$inferSelect,
  'status' | 'closedAt' | 'cancellation' | 'cancellationEndsOn' | 'cancellationNoticeGiven'
>;

/** Reads what is kept of stored cases. The caller has locked the cases. */
async function readStored(transaction: Transaction, ids: string[]): Promise<Map<string, Stored>> {
  if (ids.length === 0) return new Map();
  const { id, status, closedAt, cancellation, cancellationEndsOn, cancellationNoticeGiven } =
    tables.conveyancingCases;
  const rows = await transaction
    .select({ id, status, closedAt, cancellation, cancellationEndsOn, cancellationNoticeGiven })
    .from(tables.conveyancingCases)
    .where(sql`${id} = any(${sql.param(ids)}::uuid[])`);
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * When a case was closed. Its retention counts from the day on which it was completed or abandoned; if it is completed
 * after it was abandoned, from its completion.
 */
function closingOf(status: CaseStatus, stored: Stored | undefined, now: Date): Date | null {
  if (status !== 'completed' && status !== 'abandoned') return null;
  return stored?.status === status ? (stored.closedAt ?? now) : now;
}

/** What members recorded at the desk stays if the sender knows nothing of the right to cancel. */
function cancellationOf(stored: Stored | undefined) {
  if (!stored) return {};
  const { cancellation, cancellationEndsOn, cancellationNoticeGiven } = stored;
  return { cancellation, cancellationEndsOn, cancellationNoticeGiven };
}
