import { type MatterType, type Milestone, milestonePaths, type Party } from '@keyturn/contract';
import { addDays } from '@keyturn/format/london-time';
import { sql } from 'drizzle-orm';
import { activeCaseOf } from '../../platform/reads/active-case.ts';
import { defineRead } from '../../platform/reads/client-read.ts';
import { columns, entityFields, jsonList } from '../../platform/reads/contract-json.ts';
import { caseClientsOf, dateOf, factsOf, type StoredFacts, toFacts } from './matter-facts-store.ts';
import { type NamedClient, waitingLine } from './waiting-line.ts';

type StoredMilestone = Omit<
  Milestone,
  'usually_between' | 'waiting_for' | 'waiting_since' | 'usual_working_days'
> & {
  usual_days_from: number | null;
  usual_days_to: number | null;
  step: { waitingFor: string | null; waitingSince: string | null; waitingSetAt: string | null };
};

interface StoredMatter {
  matterType: MatterType;
  parties: Party[];
  targetExchangeOn: string | null;
  targetCompletionOn: string | null;
  milestones: StoredMilestone[];
  facts: StoredFacts;
}

/**
 * Reads the milestones of the client's active case, matter by matter, in path order. Each step under way names the
 * party that has to act next, in words for this client.
 */
export const readMilestones = defineRead<
  { matters: StoredMatter[]; clients: NamedClient[] } | null,
  Milestone[],
  object
>({
  name: 'read_milestones',
  select: (client) => sql`(
    select json_build_object('clients', ${caseClientsOf(sql`active_case.id`)},
      'matters', ${jsonList(
        sql`json_build_object('matterType', matter.matter_type, 'parties', matter.parties,
          'targetExchangeOn', matter.target_exchange_on, 'targetCompletionOn', matter.target_completion_on,
          'milestones', ${milestonesOfMatter}, 'facts', ${factsOf(sql`matter.id`)})`,
        {
          query: sql`from matters matter where matter.case_id = active_case.id`,
          order: sql`matter.position, matter.id`,
        },
      )})
    from ${activeCaseOf(client)} active_case)`,
  toAnswer: (stored, { clientId }) =>
    stored ? stored.matters.flatMap((matter) => toMilestones(matter, stored.clients, clientId)) : [],
});

const milestonesOfMatter = jsonList(
  sql`json_build_object(${entityFields('milestone')},
    ${columns('milestone', 'matter_id', 'key', 'title', 'explanation', 'actor', 'status', 'reached_on')},
    ${columns('milestone', 'expected_from', 'expected_to', 'next_update_by', 'position')},
    ${columns('milestone', 'usual_days_from', 'usual_days_to')},
    'stage', json_build_object('title', milestone.stage_title, 'position', milestone.stage_position,
      'key_moment', milestone.key_moment),
    'step', json_build_object('waitingFor', milestone.waiting_for, 'waitingSince', milestone.waiting_since,
      'waitingSetAt', milestone.waiting_set_at))`,
  {
    query: sql`from milestones milestone where milestone.matter_id = matter.id`,
    order: sql`milestone.position`,
  },
);

function toMilestones(matter: StoredMatter, clients: NamedClient[], clientId: string): Milestone[] {
  const { matterType, parties } = matter;
  const facts = { matterType, parties, clients, ...toFacts(matter.facts) };
  const instructedOn = matter.milestones.find(({ key }) => key === 'instructed')?.reached_on ?? null;
  return matter.milestones.map(({ step, usual_days_from: from, usual_days_to: to, ...milestone }) => ({
    ...milestone,
    usual_working_days: from === null || to === null ? null : { from, to },
    usually_between: usuallyBetween(milestone, matter, instructedOn),
    ...(isUnderWay(milestone)
      ? waitingLine(
          { key: milestone.key, actor: milestone.actor, ...step, waitingSetAt: dateOf(step.waitingSetAt) },
          facts,
          clientId,
        )
      : { waiting_for: null, waiting_since: null }),
  }));
}

function usuallyBetween(
  { key, status, expected_from }: Pick<Milestone, 'key' | 'status' | 'expected_from'>,
  matter: Pick<StoredMatter, 'matterType' | 'targetExchangeOn' | 'targetCompletionOn'>,
  instructedOn: string | null,
): Milestone['usually_between'] {
  const weeks = milestonePaths[matter.matterType].usualWeeks[key];
  const target = key === 'exchanged' ? matter.targetExchangeOn : matter.targetCompletionOn;
  const isPlanned = expected_from !== null || target !== null;
  if (!weeks || !instructedOn || isPlanned || status === 'done' || status === 'not_needed') return null;
  return { from: addDays(instructedOn, weeks[0] * 7), to: addDays(instructedOn, weeks[1] * 7) };
}

const isUnderWay = ({ status }: { status: Milestone['status'] }) =>
  status === 'current' || status === 'blocked';
