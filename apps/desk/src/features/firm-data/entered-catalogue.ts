import type { CatalogueSearch } from '@keyturn/contract/staff';

/** A search of the catalogue as it is typed. */
export interface EnteredSearch {
  code: string;
  name: string;
  supplier: string;
  explanation: string;
  /** Pounds. */
  net: string;
  /** Percent. */
  vat_rate: string;
  refund_rule: string;
  required_by: CatalogueSearch['required_by'];
  /** Working days. */
  from: string;
  to: string;
}

export const newSearch: EnteredSearch = {
  code: '',
  name: '',
  supplier: '',
  explanation: '',
  net: '',
  vat_rate: '20',
  refund_rule: 'Full refund until we order it. After that, the supplier’s fee can’t be refunded.',
  required_by: 'firm',
  from: '',
  to: '',
};

/** Fills the form. */
export const enteredCatalogue = (searches: readonly CatalogueSearch[]): EnteredSearch[] =>
  searches.map(({ net, vat_rate, supplier, usual_working_days: usual, ...search }) => ({
    ...search,
    supplier: supplier ?? '',
    net: (net / 100).toFixed(2),
    vat_rate: String(vat_rate),
    from: usual ? String(usual.from) : '',
    to: usual ? String(usual.to) : '',
  }));

/** Reads the form. What is no number becomes one that the server refuses, with the place. */
export const toCatalogue = (entered: readonly EnteredSearch[]): CatalogueSearch[] =>
  entered.map(({ net, vat_rate, from, to, ...search }) => ({
    code: search.code.trim(),
    name: search.name.trim(),
    supplier: search.supplier.trim() || null,
    explanation: search.explanation.trim(),
    net: penceOf(net) ?? -1,
    vat_rate: numberOf(vat_rate) ?? -1,
    refund_rule: search.refund_rule.trim(),
    required_by: search.required_by,
    usual_working_days:
      from.trim() === '' && to.trim() === '' ? null : { from: numberOf(from) ?? -1, to: numberOf(to) ?? -1 },
  }));

/** What a client pays, in pence, rounded half up; null while the price cannot be read. */
export function grossOf({ net, vat_rate }: Pick<EnteredSearch, 'net' | 'vat_rate'>): number | null {
  const [pence, rate] = [penceOf(net), numberOf(vat_rate)];
  if (pence === null || rate === null) return null;
  return pence + Math.floor((pence * Math.round(rate * 100) + 5_000) / 10_000);
}

/** Moves a member of a list up or down. */
export function moved<Member>(list: readonly Member[], index: number, by: -1 | 1): Member[] {
  const others = list.filter((_member, place) => place !== index);
  return [...others.slice(0, index + by), list[index] as Member, ...others.slice(index + by)];
}

/** Reads pounds such as `1,234.50` as pence. */
const penceOf = (text: string): number | null =>
  /^£?\d{1,3}(,?\d{3})*(\.\d{1,2})?$/.test(text.trim())
    ? Math.round(Number(text.replaceAll(/[£,\s]/g, '')) * 100)
    : null;

const numberOf = (text: string): number | null => (/^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : null);
