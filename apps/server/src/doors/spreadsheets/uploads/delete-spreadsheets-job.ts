import type { Clock } from '../../../platform/clock.ts';
import type { Connection } from '../../../platform/database.ts';
import type { JobHandler } from '../../../platform/jobs.ts';
import { deleteExpiredRows } from '../../../schema/tables/delete-expired-rows.ts';
import { spreadsheets } from '../../../schema/tables/spreadsheet-tables.ts';

/** Deletes spreadsheets that no one imported for an hour, and the results of imports after a day. */
export const expiredSpreadsheetsHandler = ({
  database,
  clock,
}: {
  database: Connection;
  clock: Clock;
}): JobHandler => ({
  name: 'delete-expired-spreadsheets',
  schedule: '*/10 * * * *',
  work: async () => {
    await deleteExpiredRows(database, { table: spreadsheets, age: spreadsheets.expiresAt }, clock());
  },
});
