import {
  otherPaymentCategories,
  type PaymentMethodsConfig,
  type PaymentPurpose,
  type Task,
} from '@keyturn/contract';
import { formatMoney } from '@keyturn/format/money';
import { afterIdentityCheck } from '@keyturn/format/payments/unasked-payments';
import { limitsFor, methodsFor, useMethodsConfig } from './payment-methods.ts';
import { useAwaitsIdentityCheck } from './payment-rules.ts';

interface ToPay {
  /** Null for a payment whose purpose the client chooses. */
  purpose: PaymentPurpose | null;
  /** Pence; null while it is unknown. */
  amount: number | null;
  /** Whether a payment of a bill contains client money. */
  paysClientMoney?: boolean | undefined;
}

/** Says why something cannot be paid online and how to pay it; null if it can be paid online. */
export function howToPayOtherwise(
  config: PaymentMethodsConfig,
  { purpose, amount, paysClientMoney }: ToPay,
): string | null {
  // No limit holds for the firm’s price of a search.
  const limited = purpose === 'search' ? null : amount;
  const acceptsAny = (pence: number | null) =>
    (purpose === null ? otherPaymentCategories : [purpose]).some(
      (each) => methodsFor(config, { purpose: each, amount: pence, paysClientMoney }).length > 0,
    );
  if (acceptsAny(limited)) return null;
  if (!acceptsAny(null)) return `We don’t accept cards for this. ${call}`;
  const { min, max } = limitsFor(config, purpose);
  return limited !== null && limited < min
    ? `The least you can pay here is ${formatMoney(min)}. ${call}`
    : `The most you can pay here at once is ${formatMoney(max)}. ${call}`;
}

/**
 * Returns a function that says why something cannot be paid online now, and how to pay it or what comes first; null if it
 * can be paid.
 */
export function usePayOtherwise(): (
  toPay: ToPay & { matterId: string | null; caseId?: string },
) => string | null {
  const config = useMethodsConfig();
  const awaitsIdentityCheck = useAwaitsIdentityCheck();
  return ({ matterId, caseId, ...toPay }) =>
    awaitsIdentityCheck({ purpose: toPay.purpose ?? 'other', matterId, ...(caseId ? { caseId } : {}) })
      ? afterIdentityCheck
      : howToPayOtherwise(config, toPay);
}

/** What a task to pay is for. */
export const purposeOfTask = ({ kind }: Pick<Task, 'kind'>): PaymentPurpose | null =>
  kind === 'pay_search' ? 'search' : kind === 'pay_bill' ? 'legal_fees' : null;

const call = 'Call us, and we’ll tell you how to pay by bank transfer.';
