import type { Matter, Milestone } from '@keyturn/contract';
import { milestoneDay } from '../../../api/case/milestone-day.ts';
import { formatDay, formatDayRange, workingWeekOf } from '../../../ui/format/format-date.ts';

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
  const found = milestoneDay(matter, milestone);
  if (found.kind === 'done') return found.day ? formatDay(found.day) : 'Done';
  if (found.kind === 'fixed') return formatDay(found.day);
  if (found.kind === 'expected') return `Expected ${formatDayRange(found.from, found.to, today)}`;
  if (found.kind === 'aimed') {
    const { from, to } = workingWeekOf(found.day);
    return `Aiming for ${formatDayRange(from, to, today)}`;
  }
  return 'No date yet';
}
