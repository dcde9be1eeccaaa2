import { type OtherPaymentCategory, otherPaymentCategories, type PaymentPurpose } from '@keyturn/contract';
import { useServices } from '../services/services.ts';

/** The purposes that can be paid by card or by bank. */
export interface CardPurposes {
  accepts(purpose: PaymentPurpose): boolean;
  /** The purposes of payments that the client enters. */
  others: OtherPaymentCategory[];
}

/** Explains how to pay for something that cannot be paid online. */
export const payOtherwise =
  'We don’t accept cards for this. Call us, and we’ll tell you how to pay by bank transfer.';

export function useCardPurposes(): CardPurposes {
  const { purposes } = useServices().config.payments;
  const accepts = (purpose: PaymentPurpose) => purposes.includes(purpose);
  return { accepts, others: otherPaymentCategories.filter(accepts) };
}
