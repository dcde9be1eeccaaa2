import type { Letter } from './render-letter.ts';

/** Returns the facts below the title of one of our letters. */
export const letterFacts = (reference: string, property: string, clients: string): Letter['facts'] => [
  ['Our reference', reference],
  ['Property', property],
  ['Clients', clients],
];

/** The facts of our letters to Amelia and Tom. */
export const okaforFacts = (property: string): Letter['facts'] =>
  letterFacts('KT-2026-00421', property, 'Amelia Okafor and Tom Okafor');

export const addresses = {
  alderRow: '14 Alder Row, Bath BA2 3HU',
  chapel: 'The Old Chapel, Priory Lane, Frome BA11 4QX',
  harbourView: '3 Harbour View, Clevedon BS21 7TQ',
  orchardClose: '22 Orchard Close, Portishead BS20 6PR',
  weaversMews: '9 Weavers Mews, Bradford-on-Avon BA15 1QT',
  wharf: 'Flat 6, 41 Wapping Wharf Lane, Bristol BS1 6XW',
} as const;
