import { type OtherPaymentCategory, otherPaymentCategories, type PaymentPurpose } from '@keyturn/contract';
import { useServices } from '../services/services.ts';

/** What can be paid here, by card or by bank. */
export interface CardPurposes {
  accepts(purpose: PaymentPurpose): boolean;
  /** Those of a payment that the client enters. */
  others: OtherPaymentCategory[];
}

/** Says how to pay for something that cannot be paid here. */
export const payOtherwise =
  'We don’t accept cards for this. Call us, and we’ll tell you how to pay by bank transfer.';

export function useCardPurposes(): CardPurposes {
  const { purposes } = useServices().config.payments;
  const accepts = (purpose: PaymentPurpose) => purposes.includes(purpose);
  return { accepts, others: otherPaymentCategories.filter(accepts) };
}
