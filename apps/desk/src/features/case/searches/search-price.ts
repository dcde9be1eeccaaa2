import { formatMoney } from '@keyturn/format/money';
import { invalidForm } from '../../../api/client/staff-error.ts';
import { enteredPrice, grossOf, readNumber, readPence } from '../../../ui/forms/entered-price.ts';
import type { EditField } from '../edits/edit-fields.tsx';
import type { FormValues } from '../edits/form-values.ts';

/* The price of a search in a form. Fields are named by their paths in the requests. */

export type PriceField = 'price.net' | 'price.vat_rate';
type PriceValues = FormValues<PriceField>;

/** Fills the fields of a price. */
export function priceValues(price: { net: number; vat_rate: number }): PriceValues {
  const { net, vat_rate } = enteredPrice(price);
  return { 'price.net': net, 'price.vat_rate': vat_rate };
}

/** The fields of a price, with what clients pay for it. */
export const priceFields = (values: PriceValues): readonly EditField<PriceField>[] => {
  const gross = grossInPence(values);
  return [
    { name: 'price.net', label: 'Price without VAT, in pounds', kind: 'number', maxLength: 12 },
    {
      name: 'price.vat_rate',
      label: 'VAT, in percent',
      hint: gross === null ? undefined : `With VAT ${formatMoney(gross)}.`,
      kind: 'number',
      maxLength: 6,
    },
  ];
};

/** Returns a price with VAT, in pence; null while it is invalid. */
export const grossInPence = (values: PriceValues): number | null =>
  grossOf({ net: values['price.net'], vat_rate: values['price.vat_rate'] });

/** Returns the faults of a price. */
export const faultsOfPrice = (values: PriceValues): Partial<Record<PriceField, string>> => ({
  ...(readPence(values['price.net']) === null
    ? { 'price.net': 'Enter the price in pounds, such as 38.50.' }
    : {}),
  ...((readNumber(values['price.vat_rate']) ?? 101) > 100
    ? { 'price.vat_rate': 'Enter the VAT in percent, such as 20.' }
    : {}),
});

/** @returns pence and percent @throws ApiError with the fields that cannot be read */
export function readPrice(values: PriceValues): { net: number; vat_rate: number } {
  const faults = faultsOfPrice(values);
  if (Object.keys(faults).length > 0) throw invalidForm(faults);
  return { net: readPence(values['price.net']) ?? 0, vat_rate: readNumber(values['price.vat_rate']) ?? 0 };
}
