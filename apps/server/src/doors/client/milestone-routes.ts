import { readMilestones } from '../../case-file/milestones/read-milestones.ts';
import type { ReadCalls } from '../../http/call-handlers.ts';

export const milestoneRoutes: ReadCalls<'GET /milestones'> = {
  'GET /milestones': { read: () => readMilestones({}) },
};
