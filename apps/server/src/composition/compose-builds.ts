import { join } from 'node:path';
import { createPublishedFiles } from '../live/builds/published-files.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Settings } from '../settings/read-settings.ts';
import type { ServerReference } from './server-reference.ts';

/** The builds that this server serves, and the files of those that other servers serve. */
export type Builds = ReturnType<typeof composeBuilds>;

export function composeBuilds({
  settings,
  projectDirectory,
  server,
  ...stored
}: {
  settings: Settings;
  projectDirectory: string;
  database: Database;
  clock: Clock;
  server: ServerReference;
}) {
  const dashboard = settings.dashboardDirectory ?? join(projectDirectory, 'apps/dashboard/dist');
  const desk = settings.deskDirectory ?? join(projectDirectory, 'apps/desk/dist');
  const files = createPublishedFiles({
    ...stored,
    builds: [
      { directory: dashboard, prefix: '' },
      { directory: desk, prefix: '/desk' },
    ],
  });
  let renewing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const renew = () => {
    renewing = files.publish().catch((error: unknown) => {
      server.warn('the files of this build cannot be renewed in the database', error);
    });
  };
  return {
    directories: { dashboard, desk },
    findFile: files.find,
    /** Publishes the files, and renews them every hour. @throws if they cannot be published */
    start: async () => {
      await files.publish();
      if (isStopped) return;
      timer = setInterval(renew, renewalInterval).unref();
    },
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      await renewing;
    },
  };
}

/** Milliseconds. */
const renewalInterval = 3_600_000;
