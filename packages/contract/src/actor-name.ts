import type { MatterType, MilestoneActor } from './vocabulary.ts';

/** Whether words for whom a step waits for speak to the client, for example “You, then Wessex Water”. */
export const startsWithYou = (words: string): boolean => /^you\b/i.test(words);

/** The party of a step that needs every lawyer in a chain. */
export const everyoneInChain = 'Everyone in the chain';

/**
 * Returns the party that does a milestone, in words for the client. Steps that need every lawyer in a chain name no single
 * one, because the firm itself may be the one to act.
 */
export function actorName(step: { key: string; actor: MilestoneActor }, matterType: MatterType): string {
  const isInChain = matterType === 'sale' || matterType === 'purchase';
  if (isInChain && stepsOfChain.has(step.key)) return everyoneInChain;
  if (step.key === 'registration_applied' || step.actor === 'us') return 'Us';
  if (step.actor === 'you') return 'You';
  if (step.actor === 'third_party')
    return step.key === 'registered' ? 'HM Land Registry' : 'Another organisation';
  if (matterType === 'sale') return 'The buyer’s lawyer';
  if (matterType === 'purchase') return 'The seller’s lawyer';
  return 'The other side';
}

const stepsOfChain = new Set([
  'buyer_enquiries',
  'enquiries_answered',
  'completion_date_agreed',
  'exchanged',
  'completed',
]);
