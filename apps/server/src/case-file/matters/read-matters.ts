import { type SQL, sql } from 'drizzle-orm';
import { columns, entityFields, jsonList } from '../../platform/reads/contract-json.ts';

/** Writes the matters of a case in the firm's order, each with its progress. */
export const mattersOf = (caseId: SQL): SQL =>
  jsonList(
    sql`json_build_object(${entityFields('matter')}, ${columns('matter', 'matter_type', 'status', 'property')},
      ${columns('matter', 'target_exchange_on', 'target_completion_on', 'exchanged_on', 'completed_on', 'parties')},
      'stage', milestones.stage,
      'progress', json_build_object('done', milestones.done, 'total', milestones.total))`,
    {
      query: sql`
        from matters matter
        cross join lateral (
          select count(*) filter (where status = 'done') as done,
            count(*) filter (where status <> 'not_needed') as total,
            -- A current milestone comes before a blocked one: it shows the client what is moving.
            (array_agg(key order by (status = 'current') desc, position, id)
              filter (where status in ('current', 'blocked')))[1] as stage
          from milestones where matter_id = matter.id) milestones
        where matter.case_id = ${caseId}`,
      order: sql`matter.position, matter.reference`,
    },
  );
