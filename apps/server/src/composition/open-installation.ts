import { join } from 'node:path';
import { loadDemonstration } from '../features/feed/load-demonstration.ts';
import { StartFault } from '../platform/start-fault.ts';
import { installation } from '../platform/tables.ts';
import type { Settings } from '../settings/read-settings.ts';

export type Installation = typeof installation.$inferSelect;

/**
 * Loads the demonstration firm where the settings ask for it, and returns what identifies the installation.
 * @throws StartFault if production would serve the demonstration firm
 */
export async function openInstallation({
  settings,
  projectDirectory,
  ...dependencies
}: Omit<Parameters<typeof loadDemonstration>[0], 'folder'> & {
  settings: Settings;
  projectDirectory: string;
}): Promise<Installation> {
  if (settings.demonstration) {
    await loadDemonstration({ ...dependencies, folder: join(projectDirectory, 'demo') });
  }
  const [opened] = await dependencies.database.select().from(installation);
  if (!opened) throw new Error('the installation table has no row');
  if (settings.environment === 'production' && opened.contents === 'demonstration') {
    throw new StartFault(
      'This installation contains the demonstration firm, whose passwords are public: in production, use another database or KEYTURN_DATA_DIR.',
    );
  }
  return opened;
}
