import type { Matter, Milestone } from '@keyturn/contract';
import { formatDay } from '@keyturn/format/london-time';
import { milestoneDay } from '../../../api/case/milestone-day.ts';
import { uncertainDaysText } from '../../../ui/format/uncertain-days.ts';

export interface KeyMoment {
  title: string;
  explanation: string;
  isReached: boolean;
  /** "Expected between 7 and 18 December", "Estimate: March to May 2027", "Friday 14 March 2025", "No date yet" */
  when: string;
}

/** Returns exchange and completion of a matter: a date range at first, and one date once it is certain. */
export function keyMoments(matter: Matter, milestones: Milestone[], today: string): KeyMoment[] {
  return keyMomentKeys.flatMap((key) => {
    const milestone = milestones.find((candidate) => candidate.key === key);
    if (!milestone || milestone.status === 'not_needed') return [];
    const { explanation, stage } = milestone;
    return [
      {
        title: stage.title,
        explanation,
        isReached: milestone.status === 'done',
        when: momentText(matter, milestone, today),
      },
    ];
  });
}

const keyMomentKeys = ['exchanged', 'completed'];

/** Says when a key moment was reached or is expected: one day only once it is certain. */
export function momentText(matter: Matter, milestone: Milestone, today: string): string {
  const day = milestoneDay(matter, milestone);
  if (day.kind === 'done') return day.day ? formatDay(day.day) : 'Done';
  if (day.kind === 'fixed') return formatDay(day.day);
  return (day.kind !== 'unknown' && uncertainDaysText(day, today)) || 'No date yet';
}
