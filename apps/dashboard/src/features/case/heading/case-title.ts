import type { Matter } from '@keyturn/contract';
import { propertyName } from '../../../api/case/property-names.ts';

/** What the whole case is about: the home that is left and the home that is moved to, or the one there is. */
export function caseHeading(matters: Matter[]): { from: string | null; to: string } {
  const nameOf = (type: Matter['matter_type']) => matters.find((matter) => matter.matter_type === type);
  const sale = nameOf('sale');
  const purchase = nameOf('purchase');
  if (sale && purchase) return { from: propertyName(sale.property), to: propertyName(purchase.property) };
  const names = [...new Set(matters.map(({ property }) => propertyName(property)))];
  return { from: null, to: names.length === 0 ? 'Your case' : names.join(' and ') };
}
