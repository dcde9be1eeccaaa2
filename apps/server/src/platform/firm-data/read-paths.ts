import { type MatterType, matterTypes } from '@keyturn/contract';
import type { MilestonePath } from '@keyturn/contract/staff';
import { sql } from 'drizzle-orm';
import type { Connection } from '../database.ts';

/** A path with the version that its matters refer to. */
export type PathVersion = { version: number; path: MilestonePath };

/**
 * Finds the path of a matter: its stored one, or the current one if it is new or its type has changed.
 * @param matterId the id of a matter for which the paths were read, or of a new one
 */
export type FindPath = (matterId: string, matterType: MatterType) => PathVersion;

/** Reads the current path of each type of matter, and those that stored matters have. */
export async function readPaths(connection: Connection, matterIds: readonly string[]): Promise<FindPath> {
  const ofMatters = sql`select id from matters where id = any(${sql.param([...matterIds])}::uuid[])
    and path_version = data.version and data.kind = 'milestone_path/' || matter_type`;
  const { rows } = await connection.execute<
    PathVersion & { kind: string; is_current: boolean; matter_ids: string[] }
  >(sql`
    select data.kind, data.version, data.value as path, data.version = newest.version as is_current,
      array(${ofMatters}) as matter_ids
    from firm_data data
    join (select kind, max(version) as version from firm_data group by kind) newest on newest.kind = data.kind
    where starts_with(data.kind, 'milestone_path/') and (data.version = newest.version or exists (${ofMatters}))`);
  const stored = new Set(matterIds);
  const ofMatter = new Map(rows.flatMap((row) => row.matter_ids.map((id) => [id, row])));
  return (matterId, matterType) => {
    const kind = `milestone_path/${matterType}`;
    const own = ofMatter.get(matterId);
    if (stored.has(matterId) && !own) throw new Error('the path of a matter is not stored');
    const found = own?.kind === kind ? own : rows.find((row) => row.kind === kind && row.is_current);
    if (!found) throw new Error(`this path of a ${matterType} is not stored`);
    return { version: found.version, path: found.path };
  };
}

/** The path of new matters of each type. */
export type CurrentPaths = Readonly<Record<MatterType, MilestonePath>>;

/** Reads the path of new matters of each type. */
export async function readCurrentPaths(connection: Connection): Promise<CurrentPaths> {
  const pathOf = await readPaths(connection, []);
  return Object.fromEntries(
    matterTypes.map((matterType) => [matterType, pathOf('', matterType).path]),
  ) as CurrentPaths;
}
