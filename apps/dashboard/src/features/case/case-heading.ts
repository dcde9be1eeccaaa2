import type { Matter, Property } from '@keyturn/contract';

/** What the whole case is about: the home that is left and the home that is moved to, or the one there is. */
export function caseHeading(matters: Matter[]): { from: string | null; to: string } {
  const nameOf = (type: Matter['matter_type']) => matters.find((matter) => matter.matter_type === type);
  const sale = nameOf('sale');
  const purchase = nameOf('purchase');
  if (sale && purchase) return { from: propertyName(sale.property), to: propertyName(purchase.property) };
  const names = [...new Set(matters.map(({ property }) => propertyName(property)))];
  return { from: null, to: names.length === 0 ? 'Your case' : names.join(' and ') };
}

/** "14 Alder Row"; a flat takes its building along: "Flat 3, 21 Harbour View". */
export function propertyName({ address_lines: [first = '', second], town }: Property): string {
  const isPart = /^(flat|apartment|apt|unit|studio|room|plot|\d+[a-z]?$)\b/i.test(first.trim());
  return [first || town, ...(isPart && second ? [second] : [])].join(', ');
}

/** "The Old Chapel, Priory Lane, Frome BA11 4QX" */
export const propertyAddress = ({ address_lines, town, postcode }: Property): string =>
  [...address_lines, `${town} ${postcode}`.trim()].filter(Boolean).join(', ');
