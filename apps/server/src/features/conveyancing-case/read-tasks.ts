import type { Task } from '@keyturn/contract';
import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { bindingMomentOf } from '../../platform/binding-moment.ts';
import type { Connection } from '../../platform/database.ts';
import {
  caseSearches,
  documentReads,
  documentSignatures,
  documents,
  matters,
  tasks,
} from '../../platform/tables/tables.ts';
import { type OwnCase, ownCase } from './own-case.ts';

/**
 * Reads the tasks of a case: open tasks first, the most urgent of them first. A task to pay for a search has the
 * search's current price. Reading and electronic signatures are done per client: such a task is done for a client who
 * has, and open for others. A paper is signed for all clients when the firm has received it.
 */
export async function readTasks(connection: Connection, query: OwnCase): Promise<Task[]> {
  const statusForClient = sql<Task['status']>`case
    when ${tasks.kind} = 'sign_document'
      and (${documentSignatures.id} is not null or ${documents.receivedOn} is not null) then 'done'
    when ${tasks.kind} = 'read_document' and ${documentReads.readAt} is not null then 'done'
    else ${tasks.status} end`;
  const rows = await connection
    .select({
      task: tasks,
      status: statusForClient,
      search: { id: caseSearches.id, price: caseSearches.priceGross },
      document: { signing: documents.signing, bindsOn: documents.bindsOn, group: documents.group },
      matter: { matterType: matters.matterType, exchangedOn: matters.exchangedOn },
    })
    .from(tasks)
    .leftJoin(
      caseSearches,
      and(
        eq(caseSearches.id, tasks.caseSearchId),
        // Only a search of this case, even if the task refers to another.
        inArray(
          caseSearches.matterId,
          connection.select({ id: matters.id }).from(matters).where(eq(matters.caseId, tasks.caseId)),
        ),
      ),
    )
    .leftJoin(documents, eq(documents.id, tasks.documentId))
    .leftJoin(matters, eq(matters.id, documents.matterId))
    .leftJoin(
      documentSignatures,
      and(
        eq(documentSignatures.documentId, tasks.documentId),
        eq(documentSignatures.clientId, query.clientId),
      ),
    )
    .leftJoin(
      documentReads,
      and(eq(documentReads.documentId, tasks.documentId), eq(documentReads.clientId, query.clientId)),
    )
    .where(inArray(tasks.caseId, ownCase(connection, query)))
    .orderBy(
      sql`(${statusForClient} = 'open') desc`,
      sql`${tasks.dueOn} asc nulls last`,
      asc(tasks.position),
      asc(tasks.reference),
    );
  return rows.map(({ task, status, search, document, matter }) => ({
    id: task.id,
    created_at: task.createdAt.toISOString(),
    updated_at: task.updatedAt.toISOString(),
    kind: task.kind,
    title: task.title,
    explanation: task.explanation,
    due_on: task.dueOn,
    status,
    matter_id: task.matterId,
    case_search_id: search?.id ?? null,
    document_id: task.documentId,
    bill_id: null,
    ...signingOf(task, document, matter),
    amount: task.kind === 'pay_search' ? (search?.price ?? null) : task.amount,
  }));
}

function signingOf(
  { kind }: typeof tasks.$inferSelect,
  document: Pick<typeof documents.$inferSelect, 'signing' | 'bindsOn' | 'group'> | null,
  matter: Pick<typeof matters.$inferSelect, 'matterType' | 'exchangedOn'> | null,
): Pick<Task, 'signing' | 'binds_on'> {
  if (kind !== 'sign_document' || document === null || matter === null) {
    return { signing: null, binds_on: null };
  }
  return { signing: document.signing, binds_on: bindingMomentOf(document, matter) };
}
