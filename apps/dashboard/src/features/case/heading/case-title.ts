import type { Matter } from '@keyturn/contract';
import { propertyName } from '@keyturn/format/property-names';

/** Titles a case by its properties: from the one being sold to the one being bought, or all of them together. */
export function caseTitle(matters: Matter[]): { from: string | null; to: string } {
  const findMatter = (type: Matter['matter_type']) => matters.find((matter) => matter.matter_type === type);
  const sale = findMatter('sale');
  const purchase = findMatter('purchase');
  if (sale && purchase) return { from: propertyName(sale.property), to: propertyName(purchase.property) };
  const names = [...new Set(matters.map(({ property }) => propertyName(property)))];
  return { from: null, to: names.length === 0 ? 'Your case' : names.join(' and ') };
}
