import { type Milestone, milestonePaths } from '@keyturn/contract';
import { addDays } from '@keyturn/format/london-time';
import { and, asc, eq } from 'drizzle-orm';
import { findActiveCase } from '../../platform/active-case.ts';
import type { Connection } from '../../platform/database.ts';
import { caseClients, matters, milestones } from '../../platform/tables/tables.ts';
import { findMatterFacts } from './matter-facts-store.ts';
import { waitingLine } from './waiting-line.ts';

/**
 * Reads the milestones of the client's active case, matter by matter, in path order. Each step under way names the
 * party that has to act next, in words for this client.
 */
export async function readMilestones(connection: Connection, clientId: string): Promise<Milestone[]> {
  const activeCase = await findActiveCase(connection, clientId);
  if (!activeCase) return [];
  const rows = await connection
    .select({
      milestone: milestones,
      matter: {
        matterType: matters.matterType,
        parties: matters.parties,
        targetExchangeOn: matters.targetExchangeOn,
        targetCompletionOn: matters.targetCompletionOn,
      },
    })
    .from(milestones)
    .innerJoin(matters, eq(matters.id, milestones.matterId))
    .innerJoin(caseClients, and(eq(caseClients.caseId, matters.caseId), eq(caseClients.clientId, clientId)))
    .where(eq(matters.caseId, activeCase.id))
    .orderBy(asc(matters.position), asc(milestones.position));
  const underWay = rows.filter(({ milestone }) => isUnderWay(milestone));
  const matterIds = [...new Set(underWay.map(({ milestone }) => milestone.matterId))];
  const factsOf = await findMatterFacts(connection, { caseId: activeCase.id, matterIds });
  const instructedOn = new Map(
    rows.flatMap(({ milestone: { key, matterId, reachedOn } }) =>
      key === 'instructed' && reachedOn !== null ? [[matterId, reachedOn]] : [],
    ),
  );
  return rows.map(({ milestone, matter }) => ({
    ...asMilestone(milestone),
    usually_between: usuallyBetween(milestone, matter, instructedOn.get(milestone.matterId)),
    ...(isUnderWay(milestone)
      ? waitingLine(milestone, { ...matter, ...factsOf(milestone.matterId) }, clientId)
      : { waiting_for: null, waiting_since: null }),
  }));
}

function usuallyBetween(
  { key, status, expectedFrom }: typeof milestones.$inferSelect,
  matter: Pick<typeof matters.$inferSelect, 'matterType' | 'targetExchangeOn' | 'targetCompletionOn'>,
  instructedOn: string | undefined,
): Milestone['usually_between'] {
  const weeks = milestonePaths[matter.matterType].usualWeeks[key];
  const target = key === 'exchanged' ? matter.targetExchangeOn : matter.targetCompletionOn;
  const isPlanned = expectedFrom !== null || target !== null;
  if (!weeks || !instructedOn || isPlanned || status === 'done' || status === 'not_needed') return null;
  return { from: addDays(instructedOn, weeks[0] * 7), to: addDays(instructedOn, weeks[1] * 7) };
}

const isUnderWay = ({ status }: { status: Milestone['status'] }) =>
  status === 'current' || status === 'blocked';

function asMilestone(
  row: typeof milestones.$inferSelect,
): Omit<Milestone, 'waiting_for' | 'waiting_since' | 'usually_between'> {
  return {
    id: row.id,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    matter_id: row.matterId,
    key: row.key,
    title: row.title,
    explanation: row.explanation,
    stage: { title: row.stageTitle, position: row.stagePosition, key_moment: row.keyMoment },
    actor: row.actor,
    status: row.status,
    reached_on: row.reachedOn,
    expected_from: row.expectedFrom,
    expected_to: row.expectedTo,
    usual_working_days:
      row.usualDaysFrom === null || row.usualDaysTo === null
        ? null
        : { from: row.usualDaysFrom, to: row.usualDaysTo },
    next_update_by: row.nextUpdateBy,
    position: row.position,
  };
}
