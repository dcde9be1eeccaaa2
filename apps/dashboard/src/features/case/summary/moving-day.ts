import type { Matter, Milestone } from '@keyturn/contract';
import { matterTypeInSentence } from '@keyturn/format/matter-names';
import { momentText } from '../matter/key-moments.ts';

export interface MovingDay {
  /** "Moving day", "Getting the keys", "Completion" or "Completion of your sale" */
  label: string;
  /** "Expected between 25 January and 5 February 2027", "Friday 18 December 2026" */
  when: string;
}

/**
 * Returns the day that the clients of a case look forward to: the completion of their purchase, or else of their first
 * matter, among those that are going ahead.
 * @param today calendar day in Europe/London
 * @returns null when no matter is going ahead, or no completion is planned
 */
export function movingDay(matters: Matter[], milestones: Milestone[], today: string): MovingDay | null {
  const going = matters.filter(({ status }) => status !== 'on_hold' && status !== 'abandoned');
  const matter = going.find(({ matter_type }) => matter_type === 'purchase') ?? going[0];
  if (!matter) return null;
  const completion = milestones.find(({ matter_id, key }) => matter_id === matter.id && key === 'completed');
  if (!completion || completion.status === 'not_needed') return null;
  const label = completion.status === 'done' ? 'Completion' : labelOf(matter, going, matters);
  return { label, when: momentText(matter, completion, today) };
}

/** Only clients who sell one home and buy another are sure to move. Other buyers get the keys, perhaps to let the home. */
function labelOf({ matter_type }: Matter, going: Matter[], matters: Matter[]): string {
  if (matter_type === 'purchase') {
    const isSelling = going.some((other) => other.matter_type === 'sale' && other.status !== 'completed');
    return isSelling ? 'Moving day' : 'Getting the keys';
  }
  return matters.length > 1 ? `Completion of your ${matterTypeInSentence(matter_type)}` : 'Completion';
}
