import type { Task } from '@keyturn/contract';
import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import { caseSearches, matters, tasks } from '../../platform/tables.ts';
import { type OwnCase, ownCase } from './own-case.ts';

/** Open ones first, the most urgent of them first; a search to pay brings its price of today. */
export async function readTasks(connection: Connection, of: OwnCase): Promise<Task[]> {
  const rows = await connection
    .select({ task: tasks, search: { id: caseSearches.id, price: caseSearches.priceGross } })
    .from(tasks)
    .leftJoin(
      caseSearches,
      and(
        eq(caseSearches.id, tasks.caseSearchId),
        // Of this case alone, whatever the task names.
        inArray(
          caseSearches.matterId,
          connection.select({ id: matters.id }).from(matters).where(eq(matters.caseId, tasks.caseId)),
        ),
      ),
    )
    .where(inArray(tasks.caseId, ownCase(connection, of)))
    .orderBy(
      sql`(${tasks.status} = 'open') desc`,
      sql`${tasks.dueOn} asc nulls last`,
      asc(tasks.position),
      asc(tasks.reference),
    );
  return rows.map(({ task, search }) => ({
    id: task.id,
    created_at: task.createdAt.toISOString(),
    updated_at: task.updatedAt.toISOString(),
    kind: task.kind,
    title: task.title,
    explanation: task.explanation,
    due_on: task.dueOn,
    status: task.status,
    matter_id: task.matterId,
    case_search_id: search?.id ?? null,
    document_id: task.documentId,
    amount: task.kind === 'pay_search' ? (search?.price ?? null) : task.amount,
  }));
}
