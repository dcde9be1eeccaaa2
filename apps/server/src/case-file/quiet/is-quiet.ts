import { type SQL, sql } from 'drizzle-orm';

/** Whether the row `milestone` of the row `matter` is quiet, by itself or with its case. */
export const isStepQuiet = sql`exists (select from quiet_steps quiet where quiet.case_id = matter.case_id
  and (quiet.milestone_id is null or quiet.milestone_id = milestone.id))`;

/**
 * The promise of the row `milestone` of the row `matter` as clients get it: that of a quiet step runs to its day, and then it is
 * not shown, so that no apology follows.
 * @param today in London
 */
export const promiseForClients = (today: SQL): SQL =>
  sql`case when milestone.next_update_by >= ${today}::date or not ${isStepQuiet} then milestone.next_update_by end`;
