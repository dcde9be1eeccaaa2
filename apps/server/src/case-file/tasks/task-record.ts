import { sql } from 'drizzle-orm';
import { tasks } from '../../schema/tables/tables.ts';
import { fieldsOf, inCase, own, type RecordDefinition, referenceTo } from '../records/define-record.ts';

const { text, value } = fieldsOf(tasks);

/** A task, as the case feed sends it and as it is stored. */
export const taskRecord = {
  table: tasks,
  auditedAs: 'task',
  ...inCase(tasks),
  from: sql`tasks r join conveyancing_cases k on k.id = r.case_id left join matters m on m.id = r.matter_id
    left join case_searches s on s.id = r.case_search_id left join documents d on d.id = r.document_id`,
  fields: {
    case: referenceTo('cases', sql`k.reference`),
    matter: referenceTo('matters', sql`m.reference`),
    search: referenceTo('searches', sql`s.reference`),
    document: referenceTo('documents', sql`d.reference`),
    kind: value('kind'),
    title: text('title'),
    explanation: text('explanation'),
    due_on: value('dueOn'),
    amount: text('amount'),
    // What a payment or a signature has completed stays done.
    status: own(sql`r.status`, { isAudited: true }),
  },
} satisfies RecordDefinition<'tasks'>;
