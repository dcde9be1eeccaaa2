import {
  acceptsPayments,
  isClosed,
  type OtherPaymentCategory,
  otherPaymentCategories,
  type PaymentPurpose,
} from '@keyturn/contract';
import { useClient } from '../queries/use-client.ts';
import { useServices } from '../services/services.ts';
import { unaskedLimit } from './payment-rules.ts';

/** The purposes that can be paid by card or by bank. */
export interface CardPurposes {
  accepts(purpose: PaymentPurpose): boolean;
  /** The purposes of payments that the client enters. */
  others: OtherPaymentCategory[];
}

export function useCardPurposes(): CardPurposes {
  const { purposes } = useServices().config.payments;
  const accepts = (purpose: PaymentPurpose) => purposes.includes(purpose);
  return { accepts, others: otherPaymentCategories.filter(accepts) };
}

/**
 * The purposes of payments that the client can enter for the active case; once it is closed, only bills.
 * @param isAskedFor whether the firm has asked for the payment, so that it need not accept its purpose otherwise
 */
export function useOtherPurposes({ isAskedFor }: { isAskedFor: boolean }): OtherPaymentCategory[] {
  const { others } = useCardPurposes();
  const conveyancingCase = useClient().data?.conveyancing_case;
  const status = conveyancingCase?.status ?? 'active';
  return others.filter(
    (category) =>
      acceptsPayments(status, { kind: 'other', category }) &&
      (isAskedFor || unaskedLimit(conveyancingCase?.firm, category) !== null),
  );
}

/** Whether the client is offered to pay for something that the firm has not asked for. */
export function useOffersOtherPayments(): boolean {
  const others = useOtherPurposes({ isAskedFor: false });
  const conveyancingCase = useClient().data?.conveyancing_case;
  return (
    others.some((category) => category !== 'legal_fees') &&
    conveyancingCase !== null &&
    !isClosed(conveyancingCase?.status ?? 'active')
  );
}
