import { asc, eq, inArray } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import { buildFiles } from '../../schema/tables/build-tables.ts';
import { deleteExpiredRows } from '../../schema/tables/delete-expired-rows.ts';

export type BuildFile = Pick<typeof buildFiles.$inferSelect, 'path' | 'content' | 'isCompressed'>;

/**
 * Records that a server serves these files now.
 * @returns those that are published
 */
export async function renewFiles(
  connection: Connection,
  paths: readonly string[],
  now: Date,
): Promise<Set<string>> {
  // All servers lock the rows in the same order, so that none waits for another in a circle.
  const own = connection
    .select({ path: buildFiles.path })
    .from(buildFiles)
    .where(inArray(buildFiles.path, [...paths]))
    .orderBy(asc(buildFiles.path))
    .for('update');
  const renewed = await connection
    .update(buildFiles)
    .set({ servedAt: now })
    .where(inArray(buildFiles.path, own))
    .returning({ path: buildFiles.path });
  return new Set(renewed.map(({ path }) => path));
}

/** Publishes files. One that another server has published meanwhile is left as it is: both have the same content. */
export const insertFiles = (connection: Connection, files: readonly BuildFile[], now: Date) =>
  connection
    .insert(buildFiles)
    .values(files.map((file) => ({ ...file, servedAt: now })))
    .onConflictDoNothing();

/** Lists the paths of all published files. */
export async function listPaths(connection: Connection): Promise<Set<string>> {
  const rows = await connection.select({ path: buildFiles.path }).from(buildFiles);
  return new Set(rows.map(({ path }) => path));
}

export async function readFileContent(
  connection: Connection,
  path: string,
): Promise<Omit<BuildFile, 'path'> | null> {
  const [file] = await connection
    .select({ content: buildFiles.content, isCompressed: buildFiles.isCompressed })
    .from(buildFiles)
    .where(eq(buildFiles.path, path));
  return file ?? null;
}

/** Deletes the files that no server has served since a time. */
export const deleteExpiredFiles = (connection: Connection, since: Date) =>
  deleteExpiredRows(connection, { table: buildFiles, age: buildFiles.servedAt }, since);
