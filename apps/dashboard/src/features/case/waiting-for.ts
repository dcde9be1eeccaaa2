import type { Matter, Milestone } from '@keyturn/contract';
import { formatNearDay } from '../../ui/format-date.ts';

export interface WaitingFact {
  label: string;
  words: string;
}

/** Who holds a step, since when, how long it usually takes, and when we next write; only what is known. */
export function waitingFacts(
  milestone: Milestone,
  matterType: Matter['matter_type'],
  today: string,
): WaitingFact[] {
  const { waiting_since, usual_working_days, next_update_by } = milestone;
  const facts: WaitingFact[] = [{ label: 'Waiting for', words: waitingFor(milestone, matterType) }];
  if (waiting_since) facts.push({ label: 'Since', words: formatNearDay(waiting_since, today) });
  if (usual_working_days) facts.push({ label: 'Usually takes', words: workingDays(usual_working_days) });
  if (next_update_by) {
    // A promise that was missed is said as one.
    const label = next_update_by < today ? 'We were to write by' : 'We write next by';
    facts.push({ label, words: formatNearDay(next_update_by, today) });
  }
  return facts;
}

/** By name where the firm gave one, else by the part they play. */
export function waitingFor({ waiting_for, actor }: Milestone, matterType: Matter['matter_type']): string {
  if (waiting_for) return waiting_for;
  if (actor === 'you') return 'You';
  if (actor === 'us') return 'Us';
  if (actor === 'third_party') return 'Somebody outside our firm';
  if (matterType === 'sale') return 'The buyer’s lawyer';
  if (matterType === 'purchase') return 'The seller’s lawyer';
  return 'The other side';
}

/** Our own words for whom we wait for, in the middle of a sentence; a name keeps its capital. */
export const inSentence = (words: string): string =>
  words.replace(/^(?:The|You|Us|Somebody)\b/, (first) => first.toLowerCase());

function workingDays({ from, to }: { from: number; to: number }): string {
  if (from === to) return `${from} working ${from === 1 ? 'day' : 'days'}`;
  return `${from} to ${to} working days`;
}
