import { actorName, everyoneInChain, type Matter, type Milestone } from '@keyturn/contract';
import { formatDay } from '@keyturn/format/london-time';
import { milestoneDay } from '../../api/case/milestone-day.ts';
import { inSentence, usualDays } from '../../api/case/waiting-for.ts';
import { uncertainDaysText } from '../../ui/format/uncertain-days.ts';

/**
 * Says when a step was done or is expected: a date range until contracts are exchanged.
 * @param today a calendar day in Europe/London
 * @returns null when no date is known
 */
export function whenText(matter: Matter, milestone: Milestone, today: string): string | null {
  const day = milestoneDay(matter, milestone);
  if (day.kind === 'done') return day.day ? `Done ${formatDay(day.day)}` : 'Done';
  if (day.kind === 'fixed') return `Agreed for ${formatDay(day.day)}`;
  return day.kind === 'unknown' ? null : uncertainDaysText(day, today);
}

/** Says who does a step, or did it, and how long it usually takes. */
export function actingText(milestone: Milestone, matterType: Matter['matter_type']): string {
  const { status } = milestone;
  const actor = actorName(milestone, matterType);
  const isOfChain = actor === everyoneInChain;
  if (status === 'done') return isOfChain ? 'Done' : `Done by ${inSentence(actor)}`;
  const task =
    actor === 'You'
      ? 'You do this'
      : actor === 'Us'
        ? 'We do this'
        : isOfChain
          ? 'The lawyers do this'
          : `${actor} does this`;
  const usual = usualDays(milestone);
  return usual ? `${task}. Usually takes ${usual}.` : `${task}.`;
}

/** Explains a key moment after its name: "Exchange: from this day you’re legally bound …". */
export const keyMomentText = ({ stage, explanation }: Milestone): string =>
  `${stage.title}: ${inSentence(explanation)}`;
