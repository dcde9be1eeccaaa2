import type { MatterType, MilestoneActor } from './vocabulary.ts';

/** Whether words for whom a step waits for speak to the client, for example “You, then Wessex Water”. */
export const startsWithYou = (words: string): boolean => /^you\b/i.test(words);

/** Returns the party that does a milestone, in words for the client. */
export function actorName(actor: MilestoneActor, matterType: MatterType): string {
  if (actor === 'you') return 'You';
  if (actor === 'us') return 'Us';
  if (actor === 'third_party') return 'Another organisation';
  if (matterType === 'sale') return 'The buyer’s lawyer';
  if (matterType === 'purchase') return 'The seller’s lawyer';
  return 'The other side';
}
