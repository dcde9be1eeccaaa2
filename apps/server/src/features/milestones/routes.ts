import type { CallHandlers } from '../../http/call-handlers.ts';
import type { Database } from '../../platform/database.ts';
import { readMilestones } from './read-milestones.ts';

export function milestoneRoutes({ database }: { database: Database }): CallHandlers<'GET /milestones'> {
  return { 'GET /milestones': ({ client }) => readMilestones(database, client.id) };
}
