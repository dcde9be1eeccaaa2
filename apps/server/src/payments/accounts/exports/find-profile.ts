import type { ExportProfile } from '@keyturn/contract/staff';
import type { Connection } from '../../../platform/database.ts';
import { readFirmData } from '../../../platform/firm-data/firm-data.ts';

/**
 * Finds a format in which the ledger is exported.
 * @param name as the firm named it, in any case; undefined for the first
 * @returns undefined if the firm has none of that name; `names` are those that it has
 */
export async function findExportProfile(
  connection: Connection,
  name: string | undefined,
): Promise<{ profile: ExportProfile | undefined; names: string[] }> {
  const { value: profiles } = await readFirmData(connection, 'ledger_exports');
  return {
    profile:
      name === undefined
        ? profiles[0]
        : profiles.find((profile) => profile.name.toLowerCase() === name.toLowerCase()),
    names: profiles.map((profile) => profile.name),
  };
}
