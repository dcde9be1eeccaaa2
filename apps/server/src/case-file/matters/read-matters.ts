import { type SQL, sql } from 'drizzle-orm';
import { columns, entityFields, jsonList } from '../../platform/reads/contract-json.ts';
import { versionOf } from '../../platform/reads/record-version.ts';
import { deskFields } from '../cases/desk-fields.ts';
import { milestoneJson } from '../milestones/read-milestones.ts';
import { isStepQuiet } from '../quiet/is-quiet.ts';

/** Writes the matters of a case in the firm's order, each with its progress. */
export const mattersOf = (caseId: SQL): SQL =>
  jsonList(
    sql`json_build_object(${entityFields('matter')}, ${columns('matter', 'matter_type', 'status', 'property')},
      ${columns('matter', 'target_exchange_on', 'target_completion_on', 'exchanged_on', 'completed_on', 'parties')},
      'stage', milestones.stage,
      'is_identity_checked', milestones.is_identity_checked,
      'progress', json_build_object('done', milestones.done, 'total', milestones.total))`,
    {
      query: sql`
        from matters matter
        cross join lateral (
          select count(*) filter (where status = 'done') as done,
            count(*) filter (where status <> 'not_needed') as total,
            -- As in awaits_identity_check.
            coalesce(bool_and(status in ('done', 'not_needed')) filter (where key = 'identity_checked'), true)
              as is_identity_checked,
            -- A current milestone comes before a blocked one: it shows the client what is moving.
            (array_agg(key order by (status = 'current') desc, position, id)
              filter (where status in ('current', 'blocked')))[1] as stage
          from milestones where matter_id = matter.id) milestones
        where matter.case_id = ${caseId}`,
      order: sql`matter.position, matter.reference`,
    },
  );

/** The client as whom staff see the milestones of the row `matter`. */
const firstClient = sql`(
  select client.id from case_clients membership join clients client on client.id = membership.client_id
  where membership.case_id = matter.case_id order by client.reference limit 1)`;

/** Writes the matters of the case in the row `conveyancing_case`, with their milestones, as staff see them. */
export const mattersAtDesk: SQL = jsonList(
  sql`json_build_object(${columns('matter', 'id', 'matter_type', 'status', 'property', 'parties')}, ${deskFields('matter')},
      ${columns('matter', 'target_exchange_on', 'target_completion_on', 'exchanged_on', 'completed_on', 'exchange', 'features', 'ledger')},
      'milestones', ${jsonList(
        sql`json_build_object('shown', ${milestoneJson(sql`milestone.next_update_by`, firstClient)}, 'version', ${versionOf('milestone')},
          'is_quiet', ${isStepQuiet}, 'own_waiting_for', milestone.waiting_for, 'own_waiting_since', milestone.waiting_since)`,
        {
          query: sql`from milestones milestone where milestone.matter_id = matter.id`,
          order: sql`milestone.position`,
        },
      )})`,
  {
    query: sql`from matters matter where matter.case_id = conveyancing_case.id`,
    order: sql`matter.position, matter.id`,
  },
);
