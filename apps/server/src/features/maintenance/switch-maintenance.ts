import type { MaintenanceArea } from '@keyturn/contract';
import { eq } from 'drizzle-orm';
import type { Database } from '../../platform/database.ts';
import { maintenance } from '../../platform/tables/tables.ts';

export interface MaintenanceSwitch {
  area: MaintenanceArea;
  on: boolean;
  /** 1 to 500 characters, or null for the default text. */
  message: string | null;
  until: Date | null;
}

/** Switches maintenance on or off for all servers and open tabs, or changes the message and end while it is on. */
export async function switchMaintenance(
  database: Database,
  { area, on, message, until }: MaintenanceSwitch,
): Promise<void> {
  if (!on) {
    await database.delete(maintenance).where(eq(maintenance.area, area));
    return;
  }
  await database
    .insert(maintenance)
    .values({ area, message, until })
    .onConflictDoUpdate({ target: maintenance.area, set: { message, until } });
}
