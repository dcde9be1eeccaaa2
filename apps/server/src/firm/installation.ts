import { eq, sql } from 'drizzle-orm';
import type { Connection } from '../platform/database.ts';
import { installation } from '../schema/tables/tables.ts';

/** Reads the row of the installation. */
export async function readInstallation(connection: Connection) {
  const [row] = await connection.select().from(installation);
  if (!row) throw new Error('the installation has no row');
  return row;
}

/** Changes what the installation contains and the firm of its feed. */
export const writeInstallation = (
  connection: Connection,
  change: Partial<
    Pick<
      typeof installation.$inferInsert,
      'contents' | 'firm' | 'feedFirm' | 'firmChangedAt' | 'firmChangedBy' | 'demonstrationComplete'
    >
  >,
) => connection.update(installation).set({ ...change, updatedAt: sql`now()` });

/**
 * Makes a copy of a database a separate installation.
 * @param ids.replaced the id that the copy has
 * @returns whether it had this id
 */
export async function replaceInstallationId(
  connection: Connection,
  { replaced, installationId }: { replaced: string; installationId: string },
): Promise<boolean> {
  const changed = await connection
    .update(installation)
    .set({
      installationId,
      formerInstallationIds: sql`${installation.formerInstallationIds} || ${installation.installationId}`,
    })
    .where(eq(installation.installationId, replaced))
    .returning({ id: installation.installationId });
  return changed.length > 0;
}
