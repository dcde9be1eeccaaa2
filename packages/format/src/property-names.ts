/** The address of a property, in the contract's fields. */
export interface PropertyAddress {
  readonly address_lines: readonly string[];
  readonly town: string;
  readonly postcode: string;
}

/** The short name of a property: "14 Alder Row", or with its building "Flat 3, 21 Harbour View". */
export function propertyName({ address_lines: [first = '', second], town }: PropertyAddress): string {
  const isPart = /^(flat|apartment|apt|unit|studio|room|plot|\d+[a-z]?$)\b/i.test(first.trim());
  return [first || town, ...(isPart && second ? [second] : [])].join(', ');
}

/** The full address: "The Old Chapel, Priory Lane, Frome BA11 4QX". */
export const propertyAddress = ({ address_lines, town, postcode }: PropertyAddress): string =>
  [...address_lines, `${town} ${postcode}`.trim()].filter(Boolean).join(', ');
