import { sql } from 'drizzle-orm';
import { historyEntries } from '../../schema/tables/tables.ts';
import { fieldsOf, own, type RecordDefinition } from '../records/define-record.ts';

const { text, value, instant } = fieldsOf(historyEntries);

/** An entry of a case’s history, as the case feed sends it and as it is stored. */
export const historyRecord = {
  table: historyEntries,
  from: sql`history_entries r join conveyancing_cases k on k.id = r.case_id`,
  fields: {
    case: own(sql`k.reference`, { isAudited: true }),
    occurred_at: instant('occurredAt'),
    category: value('category'),
    actor: value('actor'),
    summary: text('summary'),
  },
} satisfies RecordDefinition<'history'>;
