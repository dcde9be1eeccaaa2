import {
  acceptsPayments,
  isClosed,
  type OtherPaymentCategory,
  otherPaymentCategories,
  type PaymentPurpose,
} from '@keyturn/contract';
import { useClient } from '../queries/use-client.ts';
import { useServices } from '../services/services.ts';

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

/** The purposes of payments that the client can enter for the active case; once it is closed, only bills. */
export function useOtherPurposes(): OtherPaymentCategory[] {
  const { others } = useCardPurposes();
  const status = useClient().data?.conveyancing_case?.status ?? 'active';
  return others.filter((category) => acceptsPayments(status, { kind: 'other', category }));
}

/** Whether the client is offered to pay for something that the firm has not asked for. */
export function useOffersOtherPayments(): boolean {
  const { others } = useCardPurposes();
  const conveyancingCase = useClient().data?.conveyancing_case;
  return others.length > 0 && conveyancingCase !== null && !isClosed(conveyancingCase?.status ?? 'active');
}
