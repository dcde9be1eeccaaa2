import type { Matter, Milestone } from '@keyturn/contract';

/** When a step was done or is expected. Days are calendar days in Europe/London. */
export type MilestoneDay =
  | { kind: 'done'; day: string | null }
  /** Agreed: the day of completion once contracts are exchanged. */
  | { kind: 'fixed'; day: string }
  | { kind: 'expected'; from: string; to: string }
  /** The target; never shown as a definite day. */
  | { kind: 'aimed'; day: string }
  /** What is usual for such a matter; nothing is planned yet. */
  | { kind: 'usual'; from: string; to: string }
  | { kind: 'unknown' };

export function milestoneDay(matter: Matter, milestone: Milestone): MilestoneDay {
  const { key, status, reached_on, expected_from, expected_to } = milestone;
  const [agreed, target] =
    key === 'exchanged'
      ? [matter.exchanged_on, matter.target_exchange_on]
      : key === 'completed'
        ? [matter.completed_on, matter.target_completion_on]
        : [null, null];
  if (status === 'done') return { kind: 'done', day: agreed ?? reached_on };
  // Exchange fixes the day of completion. Before it every date is an estimate, shown as a range.
  if (key === 'completed' && matter.exchanged_on && target) return { kind: 'fixed', day: target };
  if (expected_from && expected_to) return { kind: 'expected', from: expected_from, to: expected_to };
  if (target) return { kind: 'aimed', day: target };
  if (milestone.usually_between) return { kind: 'usual', ...milestone.usually_between };
  return { kind: 'unknown' };
}
