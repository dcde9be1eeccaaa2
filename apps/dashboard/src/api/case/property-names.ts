import type { Property } from '@keyturn/contract';

/** The short name of a property: "14 Alder Row", or with its building "Flat 3, 21 Harbour View". */
export function propertyName({ address_lines: [first = '', second], town }: Property): string {
  const isPart = /^(flat|apartment|apt|unit|studio|room|plot|\d+[a-z]?$)\b/i.test(first.trim());
  return [first || town, ...(isPart && second ? [second] : [])].join(', ');
}

/** The full address: "The Old Chapel, Priory Lane, Frome BA11 4QX". */
export const propertyAddress = ({ address_lines, town, postcode }: Property): string =>
  [...address_lines, `${town} ${postcode}`.trim()].filter(Boolean).join(', ');
