import type { Matter } from '@keyturn/contract';
import { asc, eq, inArray, sql } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import { matters, milestones } from '../../platform/tables/tables.ts';
import { type OwnCase, ownCase } from './own-case.ts';

/** Reads the matters of a case in the firm's order, each with its progress. */
export async function readMatters(connection: Connection, query: OwnCase): Promise<Matter[]> {
  const progress = connection
    .select({
      matterId: milestones.matterId,
      done: sql<number>`(count(*) filter (where ${milestones.status} = 'done'))::int`.as('done'),
      total: sql<number>`(count(*) filter (where ${milestones.status} <> 'not_needed'))::int`.as('total'),
      // A current milestone comes before a blocked one: it shows the client what is moving.
      stage: sql<string | null>`(array_agg(${milestones.key} order by
        (${milestones.status} = 'current') desc, ${milestones.position}, ${milestones.id})
        filter (where ${milestones.status} in ('current', 'blocked')))[1]`.as('stage'),
    })
    .from(milestones)
    .innerJoin(matters, eq(matters.id, milestones.matterId))
    .where(inArray(matters.caseId, ownCase(connection, query)))
    .groupBy(milestones.matterId)
    .as('progress');
  const rows = await connection
    .select({ matter: matters, done: progress.done, total: progress.total, stage: progress.stage })
    .from(matters)
    .leftJoin(progress, eq(progress.matterId, matters.id))
    .where(inArray(matters.caseId, ownCase(connection, query)))
    .orderBy(asc(matters.position), asc(matters.reference));
  return rows.map(({ matter, done, total, stage }) => ({
    id: matter.id,
    created_at: matter.createdAt.toISOString(),
    updated_at: matter.updatedAt.toISOString(),
    matter_type: matter.matterType,
    status: matter.status,
    property: matter.property,
    stage,
    progress: { done: done ?? 0, total: total ?? 0 },
    target_exchange_on: matter.targetExchangeOn,
    target_completion_on: matter.targetCompletionOn,
    exchanged_on: matter.exchangedOn,
    completed_on: matter.completedOn,
    parties: matter.parties,
  }));
}
