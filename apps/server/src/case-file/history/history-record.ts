import { sql } from 'drizzle-orm';
import { historyEntries } from '../../schema/tables/tables.ts';
import { fieldsOf, inCase, type RecordDefinition, referenceTo } from '../records/define-record.ts';

const { text, value, instant } = fieldsOf(historyEntries);

/** An entry of a case’s history, as the case feed sends it and as it is stored. */
export const historyRecord = {
  table: historyEntries,
  auditedAs: 'history_entry',
  ...inCase(historyEntries),
  from: sql`history_entries r join conveyancing_cases k on k.id = r.case_id`,
  fields: {
    case: referenceTo('cases', sql`k.reference`),
    occurred_at: instant('occurredAt'),
    category: value('category'),
    actor: value('actor'),
    summary: text('summary'),
  },
} satisfies RecordDefinition<'history'>;
