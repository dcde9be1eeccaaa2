import type { MatterType, Milestone } from '@keyturn/contract';
import { addDays } from '@keyturn/format/london-time';
import { type SQL, sql } from 'drizzle-orm';
import { defineRead } from '../../platform/reads/client-read.ts';
import { columns, computedFields, entityFields, jsonList } from '../../platform/reads/contract-json.ts';
import { promiseForClients } from '../quiet/is-quiet.ts';
import { dateOf, type StoredFacts, selectFacts, toFacts } from './matter-facts-store.ts';
import {
  type DerivedWaiting,
  derivedWaiting,
  type MatterFacts,
  type StepUnderWay,
  waitingLine,
} from './waiting-line.ts';

type ComputedFields = Pick<Milestone, 'usually_between' | 'waiting_for' | 'waiting_since' | 'also_waiting'>;

/** The facts that determine the computed fields of a milestone, as JSON. */
type MilestoneFacts = Pick<Milestone, 'key' | 'status' | 'actor'> & {
  matterType: MatterType;
  /** Weeks after the instruction; null without a usual time. */
  usualWeeks: { from: number; to: number } | null;
  isPlanned: boolean;
  instructedOn: string | null;
  waitingFor: string | null;
  waitingSince: string | null;
  waitingSetAt: string | null;
  /** Null unless the step is under way. */
  facts: StoredFacts | null;
};

/**
 * Reads the milestones of the client's active case, matter by matter, in path order. Each step under way names the
 * party that has to act next, in words for this client.
 * @param values.today in London
 */
export const readMilestones = defineRead<Milestone[], Milestone[], { today: string }>({
  name: 'read_milestones',
  select: (client, shownCase) =>
    jsonList(milestoneJson(promiseForClients(sql`${sql.placeholder('today')}`), client), {
      query: sql`
        from ${shownCase} active_case
        join matters matter on matter.case_id = active_case.id
        join milestones milestone on milestone.matter_id = matter.id`,
      order: sql`matter.position, matter.id, milestone.position`,
    }),
  computeFields: (stored: MilestoneFacts | null, { clientId }) => computeMilestoneFields(stored, clientId),
});

/** Computes the fields of a milestone that depend on its facts, as one client of the case reads it. */
export const computeMilestoneFields = (stored: MilestoneFacts | null, clientId: string): ComputedFields =>
  stored
    ? { usually_between: usuallyBetween(stored), ...waitingLineOf(stored, clientId) }
    : { usually_between: null, ...noWaitingLine };

/** Computes what staff need to know before they write who a step waits for; null unless it is under way. */
export function computeDerivedWaiting(
  stored: MilestoneFacts | null,
  clientId: string,
): DerivedWaiting | null {
  const known = stored && toStep(stored);
  return known && derivedWaiting(known.step, known.facts, clientId);
}

const isUnderWay = sql`milestone.status in ('current', 'blocked')`;

/**
 * Writes a milestone of the rows `milestone` and `matter`, with the facts of its computed fields.
 * @param nextUpdateBy the promise that is shown
 * @param client whose documents the facts are about
 */
export const milestoneJson = (
  nextUpdateBy: SQL,
  client: SQL,
) => sql`json_build_object(${entityFields('milestone')},
  ${columns('milestone', 'matter_id', 'key', 'title', 'explanation', 'actor', 'status', 'reached_on')},
  ${columns('milestone', 'expected_from', 'expected_to', 'position', 'figures_of')}, 'next_update_by', ${nextUpdateBy},
  'stage', json_build_object('title', milestone.stage_title, 'position', milestone.stage_position,
    'key_moment', milestone.key_moment),
  'usual_working_days', case when milestone.usual_days_from is not null and milestone.usual_days_to is not null
    then json_build_object('from', milestone.usual_days_from, 'to', milestone.usual_days_to) end,
  ${computedFields(sql`case when ${isUnderWay} or milestone.usual_weeks_from is not null then json_build_object(
    ${columns('milestone', 'key', 'status', 'actor')}, 'matterType', matter.matter_type,
    'usualWeeks', case when milestone.usual_weeks_from is not null
      then json_build_object('from', milestone.usual_weeks_from, 'to', milestone.usual_weeks_to) end,
    'isPlanned', milestone.expected_from is not null or case when milestone.key = 'exchanged'
      then matter.target_exchange_on else matter.target_completion_on end is not null,
    'instructedOn', (select reached_on from milestones where matter_id = matter.id and key = 'instructed'),
    'waitingFor', milestone.waiting_for, 'waitingSince', milestone.waiting_since,
    'waitingSetAt', milestone.waiting_set_at,
    'facts', case when ${isUnderWay} then ${selectFacts(client)} end) end`)})`;

function usuallyBetween({
  status,
  usualWeeks: weeks,
  isPlanned,
  instructedOn,
}: MilestoneFacts): Milestone['usually_between'] {
  if (!weeks || !instructedOn || isPlanned || status === 'done' || status === 'not_needed') return null;
  return { from: addDays(instructedOn, weeks.from * 7), to: addDays(instructedOn, weeks.to * 7) };
}

const noWaitingLine = { waiting_for: null, waiting_since: null, also_waiting: null };

function waitingLineOf(stored: MilestoneFacts, clientId: string): Omit<ComputedFields, 'usually_between'> {
  const known = toStep(stored);
  return known ? waitingLine(known.step, known.facts, clientId) : noWaitingLine;
}

/** @returns null unless the step is under way */
function toStep({
  facts,
  matterType,
  waitingSetAt,
  ...step
}: MilestoneFacts): { step: StepUnderWay; facts: MatterFacts } | null {
  return (
    facts && {
      step: { ...step, waitingSetAt: dateOf(waitingSetAt) },
      facts: { matterType, ...toFacts(facts) },
    }
  );
}
