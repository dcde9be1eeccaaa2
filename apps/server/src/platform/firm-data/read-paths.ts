import { type MatterType, matterTypes } from '@keyturn/contract';
import type { MilestonePath } from '@keyturn/contract/staff';
import { inArray, sql } from 'drizzle-orm';
import { matters } from '../../schema/tables/tables.ts';
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
  const stored =
    matterIds.length === 0
      ? []
      : await connection
          .select({ id: matters.id, matterType: matters.matterType, version: matters.pathVersion })
          .from(matters)
          .where(inArray(matters.id, [...matterIds]));
  const { rows } = await connection.execute<PathVersion & { kind: string; is_current: boolean }>(sql`
    select data.kind, data.version, data.value as path, data.version = newest.version as is_current
    from firm_data data
    join (select kind, max(version) as version from firm_data group by kind) newest on newest.kind = data.kind
    where starts_with(data.kind, 'milestone_path/')
      and (data.version = newest.version or (data.kind, data.version) in (
        select * from unnest(${sql.param(stored.map(({ matterType }) => kindOf(matterType)))}::text[],
          ${sql.param(stored.map(({ version }) => version))}::integer[])))`);
  const ofMatter = new Map(stored.map(({ id, ...rest }) => [id, rest]));
  return (matterId, matterType) => {
    const own = ofMatter.get(matterId);
    const version = own?.matterType === matterType ? own.version : null;
    const found = rows.find(
      (row) =>
        row.kind === kindOf(matterType) && (version === null ? row.is_current : row.version === version),
    );
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

const kindOf = (matterType: MatterType) => `milestone_path/${matterType}`;
