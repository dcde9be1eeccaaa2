import { isNullOr, isObjectOf, isOneOf, isString } from '@keyturn/browser/checks/check.ts';
import {
  type Bill,
  cardNumberNotAllowed,
  type Firm,
  hasCardNumber,
  hasHiddenCharacter,
  hiddenCharacterNotAllowed,
  type Matter,
  type OtherPaymentCategory,
  otherPaymentCategories,
} from '@keyturn/contract';
import { leavesTooLittle, tooLittleLeft } from '@keyturn/format/bill-parts';
import { formatMoney } from '@keyturn/format/money';
import { afterIdentityCheck, unaskedFault } from '@keyturn/format/payments/unasked-payments';
import type { OtherPayment } from '../../../api/case/case-store.ts';
import type { AmountLimits } from '../../../api/payments/payment-methods.ts';
import { awaitsIdentityCheck, unaskedLimit } from '../../../api/payments/payment-rules.ts';
import { parseAmount } from './amount-input.ts';

/** The form's content as the client entered it. */
export interface OtherPaymentEntry {
  category: OtherPaymentCategory | null;
  amount: string;
  reference: string;
  /** Null for the whole case. */
  matterId: string | null;
  /** The bill to pay; only for legal fees. */
  billId: string | null;
}

/** A valid entry: what the payment is for and how much. */
export type OtherPaymentDetails = Pick<
  OtherPayment,
  'category' | 'amount' | 'reference' | 'matterId' | 'bill'
>;

/** What is wrong with each field, as a sentence for the client. */
export type OtherPaymentFaults = Partial<Record<'category' | 'bill' | 'amount' | 'reference', string>>;

export const isOtherPaymentEntry = isObjectOf<OtherPaymentEntry>({
  category: isNullOr(isOneOf(otherPaymentCategories)),
  amount: isString,
  reference: isString,
  matterId: isNullOr(isString),
  billId: isNullOr(isString),
});

/** The case that a payment is entered for. */
interface EnteredFor {
  limits: AmountLimits;
  matters: Matter[];
  /** The bills that can be paid. */
  bills: Bill[];
  firm?: Firm;
  /** Whether the firm has asked for this amount. */
  isAskedFor?: (category: OtherPaymentCategory, amount: number) => boolean;
}

/** Checks an entry and converts it to the details of a payment. */
export function readEntry(
  entry: OtherPaymentEntry,
  { limits, matters, bills, firm, isAskedFor = () => false }: EnteredFor,
): { details: OtherPaymentDetails } | { faults: OtherPaymentFaults } {
  const { category } = entry;
  const isForBill = category === 'legal_fees';
  const bill = isForBill ? bills.find(({ id }) => id === entry.billId) : undefined;
  const parsed = parseAmount(entry.amount, limits);
  const upTo = category === null ? undefined : unaskedLimit(firm, category);
  const unasked =
    category !== null && upTo !== undefined && 'amount' in parsed && !isAskedFor(category, parsed.amount)
      ? unaskedFault({ upTo, amount: parsed.amount })
      : null;
  const matterId = bill ? bill.matter_id : matterIdOf(entry, matters);
  const isTooEarly =
    category !== null && !!firm && awaitsIdentityCheck({ firm, matters }, { purpose: category, matterId });
  const faults: OtherPaymentFaults = {
    ...(unasked ? { [unasked.field]: unasked.message } : {}),
    ...(isTooEarly ? { category: afterIdentityCheck } : {}),
    ...(category === null ? { category: 'Choose what the payment is for.' } : {}),
    ...(isForBill && !bill ? { bill: 'Choose the bill you’re paying.' } : {}),
    ...(bill && 'amount' in parsed && parsed.amount > bill.payable
      ? { amount: `Only ${formatMoney(bill.payable)} of this bill is left to pay.` }
      : {}),
    ...(bill &&
    'amount' in parsed &&
    leavesTooLittle({ payable: bill.payable, amount: parsed.amount, min: limits.min })
      ? { amount: tooLittleLeft(limits.min) }
      : {}),
    ...('fault' in parsed ? { amount: parsed.fault } : {}),
    ...(category === 'other' && entry.reference.trim() === ''
      ? { reference: 'Enter what the payment is for.' }
      : {}),
    ...(hasCardNumber(entry.reference) ? { reference: cardNumberNotAllowed } : {}),
    ...(hasHiddenCharacter(entry.reference) ? { reference: hiddenCharacterNotAllowed } : {}),
  };
  if (category === null || 'fault' in parsed || Object.keys(faults).length > 0) return { faults };
  return {
    details: {
      category,
      amount: parsed.amount,
      // A bill’s number says what it is.
      reference: bill ? null : entry.reference.trim() || null,
      matterId,
      bill: bill ? { id: bill.id, number: bill.number } : null,
    },
  };
}

export const isSameEntry = (a: OtherPaymentEntry, b: OtherPaymentEntry): boolean =>
  a.category === b.category &&
  a.amount === b.amount &&
  a.reference === b.reference &&
  a.matterId === b.matterId &&
  a.billId === b.billId;

export const hasSameDetails = (a: OtherPaymentDetails, b: OtherPaymentDetails): boolean =>
  a.category === b.category &&
  a.amount === b.amount &&
  a.reference === b.reference &&
  a.matterId === b.matterId &&
  a.bill?.id === b.bill?.id;

/** The form asks for the matter only if there are several; a matter of another case counts as none. */
function matterIdOf({ matterId }: OtherPaymentEntry, matters: Matter[]): string | null {
  if (matters.length === 1) return matters[0]?.id ?? null;
  return matters.some(({ id }) => id === matterId) ? matterId : null;
}
