import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database.ts';
import type { JobHandler } from '../../../platform/jobs.ts';
import { eraseDue } from './erase-due.ts';

/**
 * Handles the nightly erasure of what is due. No rule deletes until the firm turns it on.
 * @param dependencies.mayErase whether the clock can be relied on; if not, the next night continues
 */
export const retentionHandler = ({
  mayErase,
  ...dependencies
}: {
  database: Database;
  clock: Clock;
  mayErase(): Promise<boolean>;
}): JobHandler => ({
  name: 'erase-due-records',
  schedule: '17 2 * * *',
  work: async () => {
    if (!(await mayErase())) return;
    await eraseDue(dependencies, { actor: { kind: 'system', id: null, name: 'Keyturn' } });
  },
});
