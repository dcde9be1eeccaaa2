import { formatMoney } from '@keyturn/format/money';
import type { AmountLimits } from '../../../api/payments/payment-methods.ts';

/**
 * Reads an amount in pounds as typed: "250", "250.00", "£1,250.50".
 * @returns pence, or the error as a sentence for the client
 */
export function parseAmount(typed: string, limits: AmountLimits): { amount: number } | { fault: string } {
  const text = typed.normalize('NFKC').trim();
  if (text === '') return { fault: 'Enter the amount.' };
  const [, pounds, pence = ''] =
    /^£?\s*(\d{1,9}|\d{1,3}(?:[, ]\d{3}){1,2})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  if (!pounds) return { fault: 'Enter the amount in pounds, for example 250 or 1,250.50.' };
  const amount = Number(pounds.replaceAll(/\D/g, '')) * 100 + Number(pence.padEnd(2, '0'));
  if (amount < limits.min) return { fault: `The smallest amount you can pay is ${formatMoney(limits.min)}.` };
  if (amount > limits.max) {
    return {
      fault: `The most you can pay by ${limits.method} at once is ${formatMoney(limits.max)}. To pay more, call us about a bank transfer.`,
    };
  }
  return { amount };
}

/** Formats pence for the amount field: 125050 becomes "1,250.50". */
export const formatAmountInput = (pence: number): string => formatMoney(pence).slice(1);
