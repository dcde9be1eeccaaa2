import { actorName, type Matter, type Milestone } from '@keyturn/contract';

/** A label with a text, or with a calendar day that the screen formats. */
export type WaitingFact = { label: string } & ({ text: string } | { day: string });

/**
 * Lists who has to act on a step, since when, how long it usually takes, and when the next update is due. Leaves out what
 * is not known.
 * @param today calendar day in Europe/London
 */
export function waitingFacts(
  milestone: Milestone,
  matterType: Matter['matter_type'],
  today: string,
): WaitingFact[] {
  const { waiting_since, usual_working_days, next_update_by } = milestone;
  const facts: WaitingFact[] = [{ label: 'Waiting for', text: waitingFor(milestone, matterType) }];
  if (waiting_since) facts.push({ label: 'Since', day: waiting_since });
  if (usual_working_days) facts.push({ label: 'Usually takes', text: workingDays(usual_working_days) });
  // `overdueUpdates` covers a promise whose day has passed.
  if (next_update_by && next_update_by >= today) facts.push({ label: 'Next update by', day: next_update_by });
  return facts;
}

/** Returns who has to act next, as the server says, or else who usually does the step. */
export function waitingFor({ waiting_for, actor }: Milestone, matterType: Matter['matter_type']): string {
  return waiting_for ?? actorName(actor, matterType);
}

/** Adapts our own texts for use inside a sentence. Names keep their capital letter. */
export const inSentence = (text: string): string =>
  text.replace(/^(?:The|You|Your|Us|From|Another|Signatures)\b/, (first) => first.toLowerCase());

/** Formats a number of working days: "8 to 12 working days". */
export function workingDays({ from, to }: { from: number; to: number }): string {
  if (from === to) return `${from} working ${from === 1 ? 'day' : 'days'}`;
  return `${from} to ${to} working days`;
}
