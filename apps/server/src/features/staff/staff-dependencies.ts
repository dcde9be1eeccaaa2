import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';

/** What the administration of staff needs. */
export interface StaffAdministration {
  database: Database;
  clock: Clock;
}
