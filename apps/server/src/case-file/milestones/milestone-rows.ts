import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database.ts';
import * as tables from '../../schema/tables/tables.ts';
import { insertRows } from '../../schema/write-rows.ts';

type Milestone = typeof tables.milestones.$inferInsert;

/** Removes all other milestones of the matters that these belong to. */
export async function deleteOtherMilestones(
  transaction: Transaction,
  milestones: readonly Milestone[],
): Promise<void> {
  const sent = sql`unnest(${sql.param(milestones.map(({ matterId }) => matterId))}::uuid[],
    ${sql.param(milestones.map(({ key }) => key))}::text[]) as sent (matter_id, key)`;
  await transaction.execute(sql`
    delete from milestones where matter_id in (select matter_id from ${sent})
      and (matter_id, key) not in (select matter_id, key from ${sent})`);
}

/** Inserts milestones, and updates those that have changed. */
export async function writeMilestones(
  transaction: Transaction,
  milestones: readonly Milestone[],
): Promise<void> {
  const {
    id: _id,
    matterId: _matter,
    key: _key,
    createdAt: _created,
    updatedAt: _updated,
    ...columns
  } = getTableColumns(tables.milestones);
  const { waitingSetAt: _set, ...compared } = columns;
  const names = (prefix: string, of: object = compared): SQL =>
    sql.raw(
      Object.values(of)
        .map(({ name }) => `${prefix}.${name}`)
        .join(', '),
    );
  const changes = Object.values(compared).map(({ name }) => sql.raw(`${name} = excluded.${name}`));
  await insertRows(
    transaction,
    tables.milestones,
    milestones,
    sql`on conflict (matter_id, key) do update set ${sql.join(changes, sql`, `)}, updated_at = now(),
      -- A text that does not change keeps its time: a matter is also sent for other reasons.
      waiting_set_at = case
        when (excluded.waiting_for, excluded.waiting_since)
          is not distinct from (milestones.waiting_for, milestones.waiting_since)
        then milestones.waiting_set_at else excluded.waiting_set_at end
      where (${names('milestones')}) is distinct from (${names('excluded')})`,
  );
}
