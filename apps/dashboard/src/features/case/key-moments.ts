import type { Matter, Milestone } from '@keyturn/contract';
import { formatDay, formatDayRange, workingWeekOf } from '../../ui/format-date.ts';

export interface KeyMoment {
  title: string;
  explanation: string;
  isReached: boolean;
  /** "Expected 7–18 December", "Friday 14 March 2025", "No date yet" */
  when: string;
}

/** Exchange and completion of a matter, with the day once it is certain and a range before. */
export function keyMoments(matter: Matter, milestones: Milestone[], today: string): KeyMoment[] {
  return keys.flatMap((key) => {
    const milestone = milestones.find((candidate) => candidate.key === key);
    if (!milestone || milestone.status === 'not_needed') return [];
    const { explanation, stage } = milestone;
    return [
      {
        title: stage.title,
        explanation,
        isReached: milestone.status === 'done',
        when: whenOf(matter, milestone, today),
      },
    ];
  });
}

const keys = ['exchanged', 'completed'];

function whenOf(matter: Matter, milestone: Milestone, today: string): string {
  const isExchange = milestone.key === 'exchanged';
  if (milestone.status === 'done') {
    const day = (isExchange ? matter.exchanged_on : matter.completed_on) ?? milestone.reached_on;
    return day ? formatDay(day) : 'Done';
  }
  const target = isExchange ? matter.target_exchange_on : matter.target_completion_on;
  // Exchange fixes the day of completion; before it every date is a guess, and said as a range.
  if (!isExchange && matter.exchanged_on && target) return formatDay(target);
  if (milestone.expected_from && milestone.expected_to) {
    return `Expected ${formatDayRange(milestone.expected_from, milestone.expected_to, today)}`;
  }
  if (target) {
    const { from, to } = workingWeekOf(target);
    return `Aiming for ${formatDayRange(from, to, today)}`;
  }
  return 'No date yet';
}
