import { setTimeout as pause } from 'node:timers/promises';
import type { Maintenance, MaintenanceNotice } from '@keyturn/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { maintenance } from '../../schema/tables/tables.ts';

/** Returns the state at once while it is cached. */
export type ReadMaintenance = () => Maintenance | Promise<Maintenance>;

/** Called with the area, and its notice; null once its maintenance has ended. */
export type OnMaintenance = (area: keyof Maintenance, notice: MaintenanceNotice | null) => void;

/** Milliseconds for which a server caches the state, so that not every request queries the database. */
const cachedFor = 1_000;
/** Milliseconds after which a request continues with the last known state. */
const maxWait = 500;

/**
 * Creates a cached reader of the maintenance state, which is shared by all servers. While the database is slow or
 * unavailable, the last known state applies; the request itself then fails at the database.
 * @param onChange is called when a read finds that maintenance has started or ended
 */
export function createMaintenanceReader(
  database: Database,
  clock: Clock,
  onChange: OnMaintenance = () => {},
): ReadMaintenance {
  let cached: { maintenance: Maintenance; at: number } = { maintenance: none, at: Number.NEGATIVE_INFINITY };
  let pending: Promise<Maintenance> | null = null;
  return () => {
    if (Math.abs(clock().getTime() - cached.at) < cachedFor) return cached.maintenance;
    pending ??= readSwitches(database)
      .catch(() => cached.maintenance)
      .then((current) => {
        for (const area of areas)
          if (!current[area] !== !cached.maintenance[area]) onChange(area, current[area]);
        cached = { maintenance: current, at: clock().getTime() };
        pending = null;
        return current;
      });
    return Promise.race([pending, pause(maxWait, undefined, { ref: false }).then(() => cached.maintenance)]);
  };
}

const none: Maintenance = { general: null, case_history: null };

const areas = ['general', 'case_history'] as const;

async function readSwitches(database: Database): Promise<Maintenance> {
  const rows = await database.select().from(maintenance);
  const noticeOf = (area: string) => {
    const row = rows.find((candidate) => candidate.area === area);
    return row ? { message: row.message, until: row.until?.toISOString() ?? null } : null;
  };
  return { general: noticeOf('general'), case_history: noticeOf('case-history') };
}
