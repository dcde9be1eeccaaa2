import type { Task } from '@keyturn/contract';
import { type SQL, sql } from 'drizzle-orm';
import { bindingMomentOf } from '../../platform/binding-moment.ts';
import { columns, entityFields, jsonList } from '../../platform/reads/contract-json.ts';
import { deskFields } from '../cases/desk-fields.ts';
import { hasOriginalOf } from '../documents/paper/originals.ts';

/** A task, with the facts that determine when its document commits its signers. */
export type StoredTask = Omit<Task, 'bill_id' | 'signing' | 'binds_on'> & {
  signing: Parameters<typeof bindingMomentOf> | null;
};

export const toTask = ({ signing, ...task }: StoredTask): Task => ({
  ...task,
  bill_id: null,
  signing: signing?.[0].signing ?? null,
  binds_on: signing && bindingMomentOf(...signing),
});

/**
 * Writes the tasks of a case: open tasks first, the most urgent of them first. A task to pay for a search has the
 * search's current price. Reading and electronic signatures are done per client: such a task is done for a client who
 * has, and open for others. A paper is signed for a client when the firm has received their original, and for all clients when
 * it has received the whole. A task about a document that is hidden from the
 * client is left out.
 */
export const tasksOf = (caseId: SQL, client: SQL): SQL =>
  jsonList(
    sql`json_build_object(${entityFields('task')},
      ${columns('task', 'kind', 'title', 'explanation', 'due_on', 'matter_id', 'document_id')},
      'status', for_client.status, 'case_search_id', search.id,
      'amount', case when task.kind = 'pay_search' then search.price_gross else task.amount end,
      'signing', case when task.kind = 'sign_document' and document.id is not null then json_build_array(
        json_build_object('signing', document.signing, 'bindsOn', document.binds_on, 'group', document."group"),
        json_build_object('matterType', matter.matter_type, 'exchangedOn', matter.exchanged_on)) end)`,
    {
      query: sql`
        from tasks task
        -- Only a search of this case, even if the task refers to another.
        left join case_searches search on search.id = task.case_search_id
          and search.matter_id in (select id from matters where case_id = task.case_id)
        left join documents document on document.id = task.document_id
        left join matters matter on matter.id = document.matter_id
        left join document_signatures signature
          on signature.document_id = task.document_id and signature.client_id = ${client}
        left join document_reads reading
          on reading.document_id = task.document_id and reading.client_id = ${client}
        cross join lateral (select case
          when task.kind = 'sign_document' and (signature.id is not null or document.received_on is not null
            or ${hasOriginalOf(client)}) then 'done'
          when task.kind = 'read_document' and reading.read_at is not null then 'done'
          else task.status end as status) for_client
        where task.case_id = ${caseId} and is_hidden_from(document, ${client}) is not true`,
      order: sql`(for_client.status = 'open') desc, task.due_on asc nulls last, task.position, task.reference`,
    },
  );

/** Writes the tasks of the case in the row `conveyancing_case`, as staff see them. */
export const tasksAtDesk = jsonList(
  sql`json_build_object(${columns('task', 'id', 'kind', 'title', 'explanation', 'due_on', 'status', 'amount')},
    ${deskFields('task')}, ${columns('task', 'matter_id', 'case_search_id', 'document_id')})`,
  {
    query: sql`from tasks task where task.case_id = conveyancing_case.id`,
    order: sql`(task.status = 'open') desc, task.due_on asc nulls last, task.position, task.reference`,
  },
);
