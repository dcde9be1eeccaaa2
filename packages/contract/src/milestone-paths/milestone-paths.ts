import type { MatterType } from '../vocabulary.ts';
import type { MilestonePath } from './milestone-path.ts';
import { purchase } from './purchase.ts';
import { remortgage } from './remortgage.ts';
import { sale } from './sale.ts';
import { transferOfEquity } from './transfer-of-equity.ts';

export type { MilestonePath, PathMilestone, PathStage } from './milestone-path.ts';

/**
 * The standard milestones of each matter type, in order. Every title and explanation is true before, during and after
 * its step. The case feed can override the text of any step.
 */
export const milestonePaths: Record<MatterType, MilestonePath> = {
  purchase,
  sale,
  remortgage,
  'transfer-of-equity': transferOfEquity,
};
