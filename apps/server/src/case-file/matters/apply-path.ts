import type { MatterType } from '@keyturn/contract';
import type { MilestonePath, PathPreview, PathStep } from '@keyturn/contract/staff';
import { type SQL, sql } from 'drizzle-orm';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import type { Connection, Transaction } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { readFirmData } from '../../platform/firm-data/firm-data.ts';
import { type EditDependencies, type EditRequest, editLocked } from '../editing/edit-case.ts';
import { comparePaths, keysAfter, withPath } from './plan-path.ts';

/** The number of matters that are changed in one transaction, whose cases are locked. */
const maxMatters = 50;

const kindOf = (matterType: MatterType) => `milestone_path/${matterType}` as const;

/** Running matters with a path other than the current one. */
const outdated = (matterType: MatterType): SQL => sql`
  matter.matter_type = ${matterType} and matter.status in ('active', 'on_hold')
  and matter.path_version in (select former.version from firm_data former
    where former.kind = ${kindOf(matterType)} and former.value <> firm_data_value(${kindOf(matterType)}))`;

/** The milestone is no longer in the path, and the matter has reached it or the firm has entered something about it. */
const usedAndRemoved = (path: MilestonePath): SQL => sql`
  milestone.matter_id = matter.id and milestone.key <> all(${keysOf(path.steps)}::text[])
  and (milestone.status <> 'upcoming' or num_nonnulls(milestone.waiting_for, milestone.waiting_since,
    milestone.expected_from, milestone.expected_to, milestone.next_update_by) > 0)`;

/** Whether a matter keeps its path, so that nothing that clients have seen happen disappears. */
const keepsPath = (path: MilestonePath): SQL =>
  sql`exists (select from milestones milestone where ${usedAndRemoved(path)})`;

/** Whether a matter gets the current path. */
const isChanging = (matterType: MatterType, path: MilestonePath): SQL =>
  sql`${outdated(matterType)} and not ${keepsPath(path)}`;

const keysOf = (steps: readonly PathStep[]) => sql.param(steps.map(({ key }) => key));

/** Previews what would change if running matters got the current path of their type. */
export async function previewPath(connection: Connection, matterType: MatterType): Promise<PathPreview> {
  const { version, value: path } = await readFirmData(connection, kindOf(matterType));
  const { rows: groups } = await connection.execute<{
    former: MilestonePath;
    version: number;
    changing: number;
    keeping: number;
  }>(sql`
    select former.value as former, counted.* from (
      select path_version as version, count(*) filter (where not keeps)::int as changing,
        count(*) filter (where keeps)::int as keeping
      from (select matter.path_version, ${keepsPath(path)} as keeps from matters matter
        where ${outdated(matterType)}) matter
      group by path_version) counted
    join firm_data former on former.kind = ${kindOf(matterType)} and former.version = counted.version`);
  const { rows: used } = await connection.execute<PathPreview['used'][number]>(sql`
    select milestone.key, max(milestone.title) as title, count(*)::int as matters
    from matters matter join milestones milestone on ${usedAndRemoved(path)}
    where ${outdated(matterType)} group by milestone.key order by count(*) desc, milestone.key`);
  const compared = groups.map((group) => ({ ...group, ...comparePaths(group.former, path) }));
  const countOf = (list: 'added' | 'removed' | 'changed') => {
    const counts = new Map<string, PathPreview['removed'][number]>();
    for (const { changing, [list]: steps } of compared)
      for (const { key, title } of changing > 0 ? steps : [])
        counts.set(key, { key, title, matters: (counts.get(key)?.matters ?? 0) + changing });
    return [...counts.values()];
  };
  const added: PathPreview['added'] = [];
  for (const step of countOf('added')) {
    const versions = compared.flatMap((group) =>
      group.added.some(({ key }) => key === step.key) ? [group.version] : [],
    );
    added.push({ ...step, passed: await countPassed(connection, matterType, path, step.key, versions) });
  }
  const sum = (name: 'changing' | 'keeping') => groups.reduce((total, group) => total + group[name], 0);
  return {
    version,
    changing: sum('changing'),
    keeping: sum('keeping'),
    used,
    added,
    removed: countOf('removed'),
    changed: countOf('changed'),
  };
}

/** Counts the matters of these versions that have reached a step after a new one. */
async function countPassed(
  connection: Connection,
  matterType: MatterType,
  path: MilestonePath,
  key: string,
  versions: readonly number[],
): Promise<number> {
  const { rows } = await connection.execute<{ passed: number }>(sql`
    select count(*)::int as passed from matters matter
    where ${isChanging(matterType, path)}
      and matter.path_version = any(${sql.param([...versions])}::integer[])
      and exists (select from milestones later where later.matter_id = matter.id and later.status = 'done'
        and later.key = any(${sql.param(keysAfter(path, key))}::text[]))`);
  return rows[0]?.passed ?? 0;
}

/**
 * Gives the next running matters the current path of their type, as records of the case feed that the member sends. Their
 * milestones keep their state. Repeated until none is left: a server that is killed leaves whole batches.
 * @param version of the path that the member has previewed
 * @throws DomainError `changed_meanwhile` if it is no longer the current one, `unauthenticated`, `unavailable`
 */
export const applyPath = (
  dependencies: EditDependencies,
  matterType: MatterType,
  version: number,
  request: EditRequest,
): Promise<{ changed: number; left: number }> => {
  const lock = async (transaction: Transaction) => {
    const current = await readFirmData(transaction, kindOf(matterType));
    if (current.version !== version) throw new DomainError('changed_meanwhile');
    return { current, found: await lockChanging(transaction, matterType, current.value) };
  };
  return editLocked(dependencies, request, lock, async ({ transaction, read, store }, { current, found }) => {
    const matters = [];
    for (const { reference, keys } of found) {
      const matter = await read('matters', reference);
      if (!matter) throw new Error(`matter ${reference} was found and cannot be read`);
      matters.push({ ...matter, milestones: withPath(matter, keys, current.value) });
    }
    if (matters.length === 0) return { changed: 0, left: 0 };
    await store('matters', matters, 'current');
    await recordAudit(transaction, {
      occurredAt: dependencies.clock(),
      actor: request.actor,
      action: 'firm.milestone_path_applied',
      subject: { kind: 'installation', id: kindOf(matterType) },
      address: request.address,
      after: { version, matters: matters.length },
    });
    return { changed: matters.length, left: await countChanging(transaction, matterType, current.value) };
  });
};

/** Finds the next matters that get another path, with the keys of their steps, and locks their cases. */
async function lockChanging(connection: Connection, matterType: MatterType, path: MilestonePath) {
  const { rows: next } = await connection.execute<{ id: string; case_id: string }>(sql`
    select matter.id, matter.case_id from matters matter
    where ${isChanging(matterType, path)} order by matter.id limit ${maxMatters}`);
  await connection.execute(sql`
    select from conveyancing_cases where id = any(${sql.param(next.map(({ case_id }) => case_id))}::uuid[])
    order by id for no key update`);
  // Read after the lock, to include what was committed meanwhile.
  const { rows } = await connection.execute<{ reference: string; keys: string[] }>(sql`
    select matter.reference, array(select key from milestones where matter_id = matter.id) as keys
    from matters matter
    where matter.id = any(${sql.param(next.map(({ id }) => id))}::uuid[]) and ${isChanging(matterType, path)}
    order by matter.id`);
  return rows;
}

async function countChanging(
  connection: Connection,
  matterType: MatterType,
  path: MilestonePath,
): Promise<number> {
  const { rows } = await connection.execute<{ left: number }>(
    sql`select count(*)::int as left from matters matter where ${isChanging(matterType, path)}`,
  );
  return rows[0]?.left ?? 0;
}
