import type { Milestone } from '@keyturn/contract';
import { and, asc, eq } from 'drizzle-orm';
import { findActiveCase } from '../../platform/active-case.ts';
import type { Connection } from '../../platform/database.ts';
import { caseClients, matters, milestones } from '../../platform/tables.ts';

/** Reads the milestones of the client's active case, matter by matter, in path order. */
export async function readMilestones(connection: Connection, clientId: string): Promise<Milestone[]> {
  const activeCase = await findActiveCase(connection, clientId);
  if (!activeCase) return [];
  const rows = await connection
    .select({ milestone: milestones })
    .from(milestones)
    .innerJoin(matters, eq(matters.id, milestones.matterId))
    .innerJoin(caseClients, and(eq(caseClients.caseId, matters.caseId), eq(caseClients.clientId, clientId)))
    .where(eq(matters.caseId, activeCase.id))
    .orderBy(asc(matters.position), asc(milestones.position));
  return rows.map(({ milestone }) => asMilestone(milestone));
}

function asMilestone(row: typeof milestones.$inferSelect): Milestone {
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
    waiting_for: row.waitingFor,
    status: row.status,
    reached_on: row.reachedOn,
    expected_from: row.expectedFrom,
    expected_to: row.expectedTo,
    waiting_since: row.waitingSince,
    usual_working_days:
      row.usualDaysFrom === null || row.usualDaysTo === null
        ? null
        : { from: row.usualDaysFrom, to: row.usualDaysTo },
    next_update_by: row.nextUpdateBy,
    position: row.position,
  };
}
