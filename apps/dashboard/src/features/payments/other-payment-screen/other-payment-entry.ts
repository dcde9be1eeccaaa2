import {
  cardNumberNotAllowed,
  hasCardNumber,
  type Matter,
  type OtherPaymentCategory,
  otherPaymentCategories,
} from '@keyturn/contract';
import type { OtherPayment } from '../../../api/case/case-store.ts';
import { isNullOr, isObjectOf, isOneOf, isString } from '../../../api/checks/check.ts';
import { type AmountLimits, parseAmount } from './amount-input.ts';

/** The form's content as the client entered it. */
export interface OtherPaymentEntry {
  category: OtherPaymentCategory | null;
  amount: string;
  reference: string;
  /** Null for the whole case. */
  matterId: string | null;
}

/** A valid entry: what the payment is for and how much. */
export type OtherPaymentDetails = Pick<OtherPayment, 'category' | 'amount' | 'reference' | 'matterId'>;

/** What is wrong with each field, as a sentence for the client. */
export type OtherPaymentFaults = Partial<Record<'category' | 'amount' | 'reference', string>>;

export const isOtherPaymentEntry = isObjectOf<OtherPaymentEntry>({
  category: isNullOr(isOneOf(otherPaymentCategories)),
  amount: isString,
  reference: isString,
  matterId: isNullOr(isString),
});

/** Checks an entry and converts it to the details of a payment. */
export function readEntry(
  entry: OtherPaymentEntry,
  { limits, matters }: { limits: AmountLimits; matters: Matter[] },
): { details: OtherPaymentDetails } | { faults: OtherPaymentFaults } {
  const { category } = entry;
  const parsed = parseAmount(entry.amount, limits);
  const faults: OtherPaymentFaults = {
    ...(category === null ? { category: 'Choose what the payment is for.' } : {}),
    ...('fault' in parsed ? { amount: parsed.fault } : {}),
    ...(hasCardNumber(entry.reference) ? { reference: cardNumberNotAllowed } : {}),
  };
  if (category === null || 'fault' in parsed || Object.keys(faults).length > 0) return { faults };
  return {
    details: {
      category,
      amount: parsed.amount,
      reference: entry.reference.trim() || null,
      matterId: matterIdOf(entry, matters),
    },
  };
}

export const isSameEntry = (a: OtherPaymentEntry, b: OtherPaymentEntry): boolean =>
  a.category === b.category &&
  a.amount === b.amount &&
  a.reference === b.reference &&
  a.matterId === b.matterId;

export const hasSameDetails = (a: OtherPaymentDetails, b: OtherPaymentDetails): boolean =>
  a.category === b.category &&
  a.amount === b.amount &&
  a.reference === b.reference &&
  a.matterId === b.matterId;

/** The form asks for the matter only if there are several; a matter of another case counts as none. */
function matterIdOf({ matterId }: OtherPaymentEntry, matters: Matter[]): string | null {
  if (matters.length === 1) return matters[0]?.id ?? null;
  return matters.some(({ id }) => id === matterId) ? matterId : null;
}
