import type { PaymentRules } from '@keyturn/contract/staff';
import { readPence } from '../../ui/forms/entered-price.ts';

type Category = keyof PaymentRules['unasked'];

/** The form of the rules for payments. */
export interface EnteredRules extends Omit<PaymentRules, 'unasked'> {
  /** Amounts in pounds as typed. */
  unasked: Record<Category, { accepts: boolean; upTo: string }>;
}

/** In the order of the form. */
export const unaskedCategories: readonly Category[] = [
  'money_on_account',
  'identity_check',
  'search_pack',
  'leasehold_pack',
  'indemnity_insurance',
  'other',
];

const mapCategories = <From, To>(from: Record<Category, From>, map: (value: From) => To) =>
  Object.fromEntries(unaskedCategories.map((category) => [category, map(from[category])])) as Record<
    Category,
    To
  >;

/** Fills the form of the rules for payments. */
export const enteredRules = (rules: PaymentRules): EnteredRules => ({
  ...rules,
  unasked: mapCategories(rules.unasked, (upTo) => ({
    accepts: upTo !== null,
    upTo: upTo === null ? '' : (upTo / 100).toFixed(2),
  })),
});

/** Reads the form. The server rejects 0, which an invalid amount becomes. */
export const rulesFrom = ({ unasked, ...rules }: EnteredRules): PaymentRules => ({
  ...rules,
  is_decided: true,
  unasked: mapCategories(unasked, ({ accepts, upTo }) => (accepts ? (readPence(upTo) ?? 0) : null)),
});
