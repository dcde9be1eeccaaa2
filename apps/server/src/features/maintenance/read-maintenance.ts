import type { Maintenance } from '@keyturn/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { maintenance } from '../../platform/tables.ts';

export type ReadMaintenance = () => Promise<Maintenance>;

/** Milliseconds: how old what a server believes may be, so that not every request asks the database. */
const believedFor = 1_000;

/**
 * What is in maintenance, on whichever server it was switched. While the database cannot be asked, what was known
 * holds: the request itself will meet the database and say so.
 */
export function createMaintenanceReader(database: Database, clock: Clock): ReadMaintenance {
  let known: { maintenance: Maintenance; at: number } = { maintenance: none, at: Number.NEGATIVE_INFINITY };
  let asking: Promise<Maintenance> | null = null;
  return async () => {
    if (Math.abs(clock().getTime() - known.at) < believedFor) return known.maintenance;
    asking ??= readSwitches(database)
      .catch(() => known.maintenance)
      .then((found) => {
        known = { maintenance: found, at: clock().getTime() };
        asking = null;
        return found;
      });
    return asking;
  };
}

const none: Maintenance = { general: null, case_history: null };

async function readSwitches(database: Database): Promise<Maintenance> {
  const rows = await database.select().from(maintenance);
  const noticeOf = (area: string) => {
    const row = rows.find((candidate) => candidate.area === area);
    return row ? { message: row.message, until: row.until?.toISOString() ?? null } : null;
  };
  return { general: noticeOf('general'), case_history: noticeOf('case-history') };
}
