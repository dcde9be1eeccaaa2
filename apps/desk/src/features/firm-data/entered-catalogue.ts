import type { CatalogueSearch } from '@keyturn/contract/staff';
import { type EnteredPrice, enteredPrice, readNumber, readPence } from '../../ui/forms/entered-price.ts';

/** The form of a search in the catalogue. */
export interface EnteredCatalogueSearch extends EnteredPrice {
  /** Stays the same while the search is edited and moved. */
  id: number;
  code: string;
  name: string;
  supplier: string;
  explanation: string;
  refund_rule: string;
  required_by: CatalogueSearch['required_by'];
  /** Working days. */
  from: string;
  to: string;
}

export const newSearch: Omit<EnteredCatalogueSearch, 'id'> = {
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
export const enteredCatalogue = (searches: readonly CatalogueSearch[]): EnteredCatalogueSearch[] =>
  searches.map(({ net, vat_rate, supplier, usual_working_days: usual, ...search }, id) => ({
    ...search,
    id,
    supplier: supplier ?? '',
    ...enteredPrice({ net, vat_rate }),
    from: usual ? String(usual.from) : '',
    to: usual ? String(usual.to) : '',
  }));

/** Reads the form. Invalid numbers become values that the server rejects with their field. */
export const toCatalogue = (entered: readonly EnteredCatalogueSearch[]): CatalogueSearch[] =>
  entered.map(({ net, vat_rate, from, to, ...search }) => ({
    code: search.code.trim(),
    name: search.name.trim(),
    supplier: search.supplier.trim() || null,
    explanation: search.explanation.trim(),
    net: readPence(net) ?? -1,
    vat_rate: readNumber(vat_rate) ?? -1,
    refund_rule: search.refund_rule.trim(),
    required_by: search.required_by,
    usual_working_days:
      from.trim() === '' && to.trim() === ''
        ? null
        : { from: readNumber(from) ?? -1, to: readNumber(to) ?? -1 },
  }));
