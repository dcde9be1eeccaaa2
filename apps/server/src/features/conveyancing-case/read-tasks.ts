import type { Task } from '@keyturn/contract';
import { asc, eq, inArray, sql } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import { caseSearches, tasks } from '../../platform/tables.ts';
import { type OwnCase, ownCase } from './own-case.ts';

/** Open ones first, the most urgent of them first; a search to pay brings its price of today. */
export async function readTasks(connection: Connection, of: OwnCase): Promise<Task[]> {
  const rows = await connection
    .select({ task: tasks, price: caseSearches.priceGross })
    .from(tasks)
    .leftJoin(caseSearches, eq(caseSearches.id, tasks.caseSearchId))
    .where(inArray(tasks.caseId, ownCase(connection, of)))
    .orderBy(
      sql`(${tasks.status} = 'open') desc`,
      sql`${tasks.dueOn} asc nulls last`,
      asc(tasks.position),
      asc(tasks.reference),
    );
  return rows.map(({ task, price }) => ({
    id: task.id,
    created_at: task.createdAt.toISOString(),
    updated_at: task.updatedAt.toISOString(),
    kind: task.kind,
    title: task.title,
    explanation: task.explanation,
    due_on: task.dueOn,
    status: task.status,
    matter_id: task.matterId,
    case_search_id: task.caseSearchId,
    document_id: task.documentId,
    amount: task.kind === 'pay_search' ? price : task.amount,
  }));
}
