import type { ReadCalls } from '../../http/call-handlers.ts';
import { readMilestones } from './read-milestones.ts';

export const milestoneRoutes: ReadCalls<'GET /milestones'> = {
  'GET /milestones': { read: () => readMilestones({}) },
};
