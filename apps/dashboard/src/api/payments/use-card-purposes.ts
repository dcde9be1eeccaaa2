import { type OtherPaymentCategory, otherPaymentCategories, type PaymentPurpose } from '@keyturn/contract';
import { useServices } from '../services/services.ts';

/** What the firm accepts cards for. */
export interface CardPurposes {
  accepts(purpose: PaymentPurpose): boolean;
  /** Those of a payment that the client enters. */
  others: OtherPaymentCategory[];
}

/** Says how to pay for something that cannot be paid by card. */
export const payOtherwise =
  'We don’t accept cards for this. Call us, and we’ll tell you how to pay by bank transfer.';

export function useCardPurposes(): CardPurposes {
  const { card_purposes } = useServices().config.payments;
  const accepts = (purpose: PaymentPurpose) => card_purposes.includes(purpose);
  return { accepts, others: otherPaymentCategories.filter(accepts) };
}
