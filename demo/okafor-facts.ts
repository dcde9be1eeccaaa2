import type { Letter } from './render-letter.ts';

/** Returns the facts below the title of a letter to Amelia and Tom. */
export const okaforFacts = (property: string): Letter['facts'] => [
  ['Our reference', 'KT-2026-00421'],
  ['Property', property],
  ['Clients', 'Amelia Okafor and Tom Okafor'],
];
