import type { Connection } from '../../platform/database.ts';
import { paymentCheckReports } from '../../schema/tables/payment-tables.ts';
import { type Discrepancy, fixOf } from '../records/discrepancies.ts';
import type { CheckReport } from './check-payments.ts';

/** Stores the latest reconciliation, for the desk. */
export async function storeCheckReport(
  connection: Connection,
  checkedAt: Date,
  report: CheckReport,
): Promise<void> {
  const row = { checkedAt, ...report };
  await connection
    .insert(paymentCheckReports)
    .values(row)
    .onConflictDoUpdate({ target: paymentCheckReports.onlyRow, set: row });
}

/** Reads the latest reconciliation, with the fix of each discrepancy; null before the first one. */
export async function readCheckReport(connection: Connection) {
  const [row] = await connection.select().from(paymentCheckReports);
  if (!row) return null;
  return {
    ...row,
    discrepancies: (row.discrepancies as Discrepancy[]).map((found) => ({ ...found, fix: fixOf(found) })),
  };
}
