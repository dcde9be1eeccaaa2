import { sql } from 'drizzle-orm';

/** Whether the row `milestone` of the row `matter` is quiet, by itself or with its case. */
export const isStepQuiet = sql`exists (select from quiet_steps quiet where quiet.case_id = matter.case_id
  and (quiet.milestone_id is null or quiet.milestone_id = milestone.id))`;
