import { type SQL, sql } from 'drizzle-orm';
import { tasks } from '../../schema/tables/tables.ts';

/**
 * Writes a statement that completes open tasks, for the firm: webhooks report only what clients do.
 * @param which the condition on the tasks
 * @returns a statement that returns each task as `task`
 */
export const completeTasks = (which: SQL): SQL => sql`
  update ${tasks} set status = 'done', updated_at = now() where ${which} and status = 'open' returning ${tasks} as task`;

/** Writes a query that records the webhook events of tasks that a client has completed, from the tasks of `done`. */
export const recordTaskCompletions = sql`select count(record_task_completion(task)) from done`;
