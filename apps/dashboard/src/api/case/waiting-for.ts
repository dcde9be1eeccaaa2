import type { Matter, Milestone } from '@keyturn/contract';

/** In words, or as a calendar day that a screen says in its own way. */
export type WaitingFact = { label: string } & ({ words: string } | { day: string });

/**
 * Who holds a step, since when, how long it usually takes, and when we next write; only what is known.
 * `today` is a calendar day in Europe/London.
 */
export function waitingFacts(
  milestone: Milestone,
  matterType: Matter['matter_type'],
  today: string,
): WaitingFact[] {
  const { waiting_since, usual_working_days, next_update_by } = milestone;
  const facts: WaitingFact[] = [{ label: 'Waiting for', words: waitingFor(milestone, matterType) }];
  if (waiting_since) facts.push({ label: 'Since', day: waiting_since });
  if (usual_working_days) facts.push({ label: 'Usually takes', words: workingDays(usual_working_days) });
  if (next_update_by) {
    // A promise that was missed is said as one.
    const label = next_update_by < today ? 'We promised an update by' : 'Next update by';
    facts.push({ label, day: next_update_by });
  }
  return facts;
}

/** By name where the firm gave one, else by the part they play. */
export function waitingFor({ waiting_for, actor }: Milestone, matterType: Matter['matter_type']): string {
  return waiting_for ?? actorName(actor, matterType);
}

/** Who has to act, by the part they play. */
export function actorName(actor: Milestone['actor'], matterType: Matter['matter_type']): string {
  if (actor === 'you') return 'You';
  if (actor === 'us') return 'Us';
  if (actor === 'third_party') return 'Another organisation';
  if (matterType === 'sale') return 'The buyer’s lawyer';
  if (matterType === 'purchase') return 'The seller’s lawyer';
  return 'The other side';
}

/** Our own words for whom we wait for, in the middle of a sentence; a name keeps its capital. */
export const inSentence = (words: string): string =>
  words.replace(/^(?:The|You|Us|From|Another)\b/, (first) => first.toLowerCase());

/** "8 to 12 working days" */
export function workingDays({ from, to }: { from: number; to: number }): string {
  if (from === to) return `${from} working ${from === 1 ? 'day' : 'days'}`;
  return `${from} to ${to} working days`;
}
