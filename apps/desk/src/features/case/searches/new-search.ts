import type { MatterType } from '@keyturn/contract';
import type { CatalogueSearch, DeskSearch, StaffCallBody } from '@keyturn/contract/staff';
import { formatMoney } from '@keyturn/format/money';
import { invalidForm } from '../../../api/client/staff-error.ts';
import type { EditField } from '../edits/edit-fields.tsx';
import type { FormValues } from '../edits/form-values.ts';
import { faultsOfPrice, grossInPence, type PriceField, priceValues, readPrice } from './search-price.ts';

type NewSearch = StaffCallBody<'POST /staff/matters/{id}/searches'>;
export type NewSearchField =
  | PriceField
  | 'code'
  | 'name'
  | 'supplier'
  | 'explanation'
  | 'refund_rule'
  | 'required_by'
  | 'status'
  | 'pay_by';

/** The form of a search that is added to a matter. */
export type EnteredSearch = FormValues<NewSearchField>;

const notPaidYet = { status: 'awaiting_payment', pay_by: '' } as const;

/** The form before a search of the catalogue is chosen. */
export const noSearch: EnteredSearch = {
  code: '',
  name: '',
  supplier: '',
  explanation: '',
  refund_rule: '',
  required_by: 'firm',
  'price.net': '',
  'price.vat_rate': '',
  ...notPaidYet,
};

/** Fills the form from the catalogue. The chosen way to pay stays unchanged. */
export const proposedSearch = (
  entry: CatalogueSearch,
  { status, pay_by }: Pick<EnteredSearch, 'status' | 'pay_by'>,
): EnteredSearch => ({
  ...textsOf({ ...entry, supplier: entry.supplier ?? '' }),
  ...priceValues(entry),
  status,
  pay_by,
});

/** Fills the form with a search of the case, to add the same kind again. */
export const copiedSearch = (search: DeskSearch): EnteredSearch => ({
  ...textsOf(search),
  ...priceValues(search.price),
  ...notPaidYet,
});

type Texts = Pick<NewSearch, 'code' | 'name' | 'supplier' | 'explanation' | 'refund_rule' | 'required_by'>;
const textsOf = ({ code, name, supplier, explanation, refund_rule, required_by }: Texts) => ({
  code,
  name,
  supplier,
  explanation,
  refund_rule,
  required_by,
});

/** The searches of the catalogue, for a select. */
export const catalogueOptions = (
  catalogue: readonly CatalogueSearch[],
): { value: string; name: string }[] => [
  { value: '', name: 'Choose a search' },
  ...catalogue.map((entry) => {
    const gross = grossInPence(priceValues(entry));
    return { value: entry.code, name: gross === null ? entry.name : `${entry.name}, ${formatMoney(gross)}` };
  }),
];

/** Points out that the matter has a search of this kind that is not cancelled. */
export function sameOnMatter(
  code: string,
  searches: readonly Pick<DeskSearch, 'code' | 'name' | 'status'>[],
): string | undefined {
  const same = searches.find((search) => search.code === code && search.status !== 'cancelled');
  return same && `This matter has one already: ${same.name}. The clients would see both.`;
}

/** Points out that a priority search has no use for a gift: it protects only a transaction for value. */
export const giftHint = (code: string, matterType: MatterType): string | undefined =>
  code === 'OS1' && matterType === 'transfer-of-equity'
    ? 'Only for value: money for the share, taking over the mortgage, or a new mortgage. Not for a gift.'
    : undefined;

export const supplierFields: readonly EditField<'supplier'>[] = [
  { name: 'supplier', label: 'Supplier', maxLength: 200 },
];

export const paymentFields = ({ status }: EnteredSearch): readonly EditField<'status' | 'pay_by'>[] => [
  {
    name: 'status',
    label: 'Payment',
    kind: 'choice',
    options: [
      { value: 'awaiting_payment', name: 'Ask the clients to pay' },
      { value: 'paid', name: 'Paid another way: order it now' },
    ],
  },
  ...(status === 'awaiting_payment'
    ? [
        {
          name: 'pay_by' as const,
          label: 'Pay by',
          hint: 'Leave it empty if there is no day.',
          kind: 'day' as const,
        },
      ]
    : []),
];

/** The texts about the search that clients read. */
export const shownFields: readonly EditField<'name' | 'explanation' | 'refund_rule' | 'required_by'>[] = [
  { name: 'name', label: 'Name', maxLength: 200 },
  { name: 'explanation', label: 'Why it is needed', kind: 'long-text', maxLength: 1000 },
  { name: 'refund_rule', label: 'Refund rule', kind: 'long-text', maxLength: 1000 },
  {
    name: 'required_by',
    label: 'Required by',
    kind: 'choice',
    options: [
      { value: 'lender', name: 'The lender' },
      { value: 'firm', name: 'Your firm' },
      { value: 'optional', name: 'No one: it is optional' },
    ],
  },
];

const needed = {
  name: 'Enter a name.',
  supplier: 'Enter the supplier.',
  explanation: 'Enter why it is needed.',
  refund_rule: 'Enter a refund rule.',
} as const;

/** Returns the fields that must be filled in or corrected before the search can be added. */
export function faultsOfSearch(values: EnteredSearch): Record<string, string> {
  if (values.code === '') return { code: 'Choose a search.' };
  const missing = Object.entries(needed).filter(
    ([field]) => values[field as keyof typeof needed].trim() === '',
  );
  const isFree = values.status === 'awaiting_payment' && grossInPence(values) === 0;
  return {
    ...Object.fromEntries(missing),
    ...faultsOfPrice(values),
    ...(isFree
      ? { 'price.net': 'There is nothing to pay. Enter a price, or choose that it was paid another way.' }
      : {}),
  };
}

/** Converts the form to the body of the call, without an id. @throws ApiError with the fields that have faults */
export function toNewSearch(values: EnteredSearch): Omit<NewSearch, 'id' | 'replaces'> {
  const faults = faultsOfSearch(values);
  if (Object.keys(faults).length > 0) throw invalidForm(faults);
  return {
    code: values.code,
    name: values.name.trim(),
    supplier: values.supplier.trim(),
    explanation: values.explanation.trim(),
    refund_rule: values.refund_rule.trim(),
    price: readPrice(values),
    required_by: values.required_by as NewSearch['required_by'],
    status: values.status as NewSearch['status'],
    ...(values.status === 'awaiting_payment' && values.pay_by !== '' ? { pay_by: values.pay_by } : {}),
  };
}
