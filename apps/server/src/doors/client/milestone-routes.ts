import { londonDay } from '@keyturn/format/london-time';
import { readMilestones } from '../../case-file/milestones/read-milestones.ts';
import type { ReadCalls } from '../../http/call-handlers.ts';
import type { Clock } from '../../platform/clock.ts';

export const milestoneRoutes = (clock: Clock): ReadCalls<'GET /milestones'> => ({
  'GET /milestones': { read: () => readMilestones({ today: londonDay(clock()) }) },
});
