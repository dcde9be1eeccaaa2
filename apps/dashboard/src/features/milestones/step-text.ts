import type { Matter, Milestone } from '@keyturn/contract';
import { milestoneDay } from '../../api/case/milestone-day.ts';
import { actorName, inSentence, workingDays } from '../../api/case/waiting-for.ts';
import { formatDay, formatDayRange, workingWeekOf } from '../../ui/format/format-date.ts';

/**
 * When a step was done, or when it is expected: a range until contracts are exchanged. Null where nothing is known.
 * `today` is a calendar day in Europe/London.
 */
export function whenWords(matter: Matter, milestone: Milestone, today: string): string | null {
  const found = milestoneDay(matter, milestone);
  if (found.kind === 'done') return found.day ? `Done ${formatDay(found.day)}` : 'Done';
  if (found.kind === 'fixed') return `Agreed for ${formatDay(found.day)}`;
  if (found.kind === 'expected') return `Expected ${formatDayRange(found.from, found.to, today)}`;
  if (found.kind === 'aimed') {
    const { from, to } = workingWeekOf(found.day);
    return `Aiming for ${formatDayRange(from, to, today)}`;
  }
  return null;
}

/** Who has to act, or had to, and how long it usually takes once it is begun. */
export function actingWords(milestone: Milestone, matterType: Matter['matter_type']): string {
  const { status, usual_working_days } = milestone;
  const actor = actorName(milestone.actor, matterType);
  if (status === 'done') return `Done by ${inSentence(actor)}`;
  const acts = actor === 'You' ? 'You act' : actor === 'Us' ? 'We act' : `${actor} acts`;
  return usual_working_days ? `${acts}. Usually takes ${workingDays(usual_working_days)}.` : `${acts}.`;
}

/** What a key moment is, led by its name: "Exchange: from this day on you are legally bound …" */
export const keyMomentWords = ({ stage, explanation }: Milestone): string =>
  `${stage.title}: ${inSentence(explanation)}`;
