import { join } from 'node:path';
import type { ImportDependencies } from '../case-file/import/batches/batch-context.ts';
import { loadDemonstration } from '../doors/import/load-demonstration.ts';
import { loadDemonstrationStaff } from '../people/staff/accounts/load-demonstration-staff.ts';
import { StartFault } from '../platform/start-fault.ts';
import { installation } from '../schema/tables/tables.ts';
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
}: ImportDependencies & {
  settings: Settings;
  projectDirectory: string;
}): Promise<Installation> {
  if (settings.demonstration) {
    await loadDemonstration({
      ...dependencies,
      // Keyturn makes these documents itself, and a missing scanner must not keep the server from starting.
      findMalware: async () => null,
      loadedOn: settings.demonstrationDate,
      make: async (folder, loadedOn) => {
        // Imported dynamically, because only an empty installation needs its texts and PDF engine.
        const { makeDemonstration } = await import('../../../../demo/make-demonstration.ts');
        const { regulation } = await import('../../../../demo/firm.ts');
        const feed = await makeDemonstration({ folder, sources: join(projectDirectory, 'demo'), loadedOn });
        return { feed, regulation };
      },
    });
  }
  const [opened] = await dependencies.database.select().from(installation);
  if (!opened) throw new Error('the installation table has no row');
  if (settings.environment === 'production' && opened.contents === 'demonstration') {
    throw new StartFault(
      'This installation contains the demonstration firm, whose passwords are public: in production, use another database or KEYTURN_DATA_DIR.',
    );
  }
  if (opened.contents === 'demonstration' && isOnOwnMachine(settings))
    await loadDemonstrationStaff(dependencies);
  return opened;
}

/** Whether Keyturn runs on a machine where someone tries or develops it. */
export const isOnOwnMachine = ({ environment }: Pick<Settings, 'environment'>): boolean =>
  environment === 'development' || environment === 'local';
