import type { Letter } from './render-letter.ts';

/** The facts at the head of a letter to Amelia and Tom. */
export const okaforFacts = (property: string): Letter['facts'] => [
  ['Our reference', 'KT-2026-00421'],
  ['Property', property],
  ['Clients', 'Amelia Okafor and Tom Okafor'],
];
