import type { MaintenanceArea } from '@keyturn/contract';
import { eq } from 'drizzle-orm';
import { commandLineActor, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { maintenance } from '../../schema/tables/tables.ts';

export interface MaintenanceSwitch {
  area: MaintenanceArea;
  on: boolean;
  /** 1 to 500 characters, or null for the default text. */
  message: string | null;
  until: Date | null;
}

/** Switches maintenance on or off for all servers and open tabs, or changes the message and end while it is on. */
export const switchMaintenance = (database: Database, asked: MaintenanceSwitch): Promise<void> =>
  runTransaction(database, async (transaction) => {
    await writeMaintenance(transaction, asked);
    const { area, on, until } = asked;
    await recordAudit(transaction, {
      occurredAt: new Date(),
      actor: commandLineActor(),
      action: on ? 'maintenance.started' : 'maintenance.ended',
      subject: { kind: 'maintenance', id: area },
      after: on ? { until: until?.toISOString() ?? null } : null,
    });
  });

async function writeMaintenance(
  transaction: Transaction,
  { area, on, message, until }: MaintenanceSwitch,
): Promise<void> {
  if (!on) {
    await transaction.delete(maintenance).where(eq(maintenance.area, area));
    return;
  }
  await transaction
    .insert(maintenance)
    .values({ area, message, until })
    .onConflictDoUpdate({ target: maintenance.area, set: { message, until } });
}
