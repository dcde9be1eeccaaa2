import { actorName, type Matter, type Milestone } from '@keyturn/contract';
import { formatMonthRange } from '@keyturn/format/dates';

/** A label with a text, a calendar day that the screen formats, or a text that applies since a day. */
export interface WaitingFact {
  label: string;
  text?: string;
  day?: string | null;
}

/**
 * Lists who has to act on a step, since when, how long it usually takes, when the next update is due, and what the firm
 * also waits for. Leaves out what is not known.
 * @param today calendar day in Europe/London
 */
export function waitingFacts(
  milestone: Milestone,
  matterType: Matter['matter_type'],
  today: string,
): WaitingFact[] {
  const { waiting_since, next_update_by, also_waiting } = milestone;
  const usual = usualDays(milestone);
  const facts: WaitingFact[] = [{ label: 'Waiting for', text: waitingFor(milestone, matterType) }];
  if (waiting_since) facts.push({ label: 'Since', day: waiting_since });
  if (usual) facts.push({ label: 'Usually takes', text: usual });
  // `overdueUpdates` covers a promise whose day has passed.
  if (next_update_by && next_update_by >= today) facts.push({ label: 'Next update by', day: next_update_by });
  if (also_waiting)
    facts.push({
      label: 'Also waiting for',
      text: also_waiting.waiting_for,
      day: also_waiting.waiting_since,
    });
  return facts;
}

/** Returns who has to act next, as the server says, or else who usually does the step. */
export function waitingFor(milestone: Milestone, matterType: Matter['matter_type']): string {
  return milestone.waiting_for ?? actorName(milestone, matterType);
}

/** Names everyone that a step waits for inside a sentence: "you, then Wessex Water; also for the seller". */
export function waitingInSentence(milestone: Milestone, matterType: Matter['matter_type']): string {
  const also = milestone.also_waiting ? `; also for ${inSentence(milestone.also_waiting.waiting_for)}` : '';
  return `${inSentence(waitingFor(milestone, matterType))}${also}`;
}

/** Adapts our own texts for use inside a sentence. Names keep their capital letter. */
export const inSentence = (text: string): string =>
  text.replace(/^(?:The|You|Your|Us|From|Another|Everyone|Signatures)\b/, (first) => first.toLowerCase());

/** Formats how long a step usually takes: "8 to 12 working days (figures of November 2026)"; null if that is not known. */
export function usualDays({ usual_working_days: usual, figures_of: day }: Milestone): string | null {
  if (!usual) return null;
  return day ? `${workingDays(usual)} (figures of ${formatMonthRange(day, day)})` : workingDays(usual);
}

/** Formats a number of working days: "8 to 12 working days". */
function workingDays({ from, to }: { from: number; to: number }): string {
  if (from === to) return `${from} working ${from === 1 ? 'day' : 'days'}`;
  return `${from} to ${to} working days`;
}
