import { formatMoney } from '../money.ts';

/** What is wrong with a payment that the firm has not asked for, and with which field. */
export interface UnaskedFault {
  field: 'category' | 'amount';
  message: string;
}

/**
 * Says why a payment that the firm has not asked for cannot be made; null if it can.
 * @param payment.upTo pence in a day for a case; null: only what the firm has asked for
 * @param payment.earlier pence that were paid or started on this day besides
 */
export function unaskedFault({
  upTo,
  amount,
  earlier = 0,
}: {
  upTo: number | null;
  amount: number;
  earlier?: number;
}): UnaskedFault | null {
  if (upTo === null) return { field: 'category', message: onlyIfAsked };
  if (earlier + amount <= upTo) return null;
  const others = earlier > 0 ? ` ${formatMoney(earlier)} has already been paid or started for this.` : '';
  return {
    field: 'amount',
    message: `You can pay up to ${formatMoney(upTo)} a day for this if we haven’t asked for it.${others} To pay more, please call us first.`,
  };
}

const onlyIfAsked = 'We only accept this if we’ve asked you for it. Please call us first.';

/** What a client reads of a payment that comes after the identity check. */
export const afterIdentityCheck = 'You can pay this online once our identity checks for your case are done.';
