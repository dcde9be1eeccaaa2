import type { Connection } from '../../platform/database.ts';
import { installation } from '../../schema/tables/tables.ts';

/** Reads the id that this installation writes into the metadata of its intents. */
export async function readInstallationId(connection: Connection): Promise<string> {
  const [row] = await connection.select({ id: installation.installationId }).from(installation);
  if (!row) throw new Error('the installation table has no row');
  return row.id;
}
