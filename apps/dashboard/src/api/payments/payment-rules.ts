import type { ConveyancingCase, OtherPaymentCategory, PaymentPurpose } from '@keyturn/contract';
import { useClient } from '../queries/use-client.ts';

type RuledCase = Pick<ConveyancingCase, 'firm' | 'matters'>;

/** What a payment is for, and its matter; null for the case as a whole. */
interface PaidFor {
  purpose: PaymentPurpose;
  matterId: string | null;
}

/**
 * Whether a payment comes after an identity check that is not done, as the server decides it. Never with a server of the
 * last release.
 */
export const awaitsIdentityCheck = ({ firm, matters }: RuledCase, { purpose, matterId }: PaidFor): boolean =>
  firm.payment_rules?.not_before[purpose] === 'identity_checked' &&
  matters.some(
    ({ id, status, is_identity_checked }) =>
      is_identity_checked === false &&
      (matterId === null ? status === 'active' || status === 'on_hold' : id === matterId),
  );

/**
 * Returns a function that says whether a payment of the active case comes after an identity check that is not done. The
 * matters of another case are not known here: the server refuses the payment.
 */
export function useAwaitsIdentityCheck(): (paidFor: PaidFor & { caseId?: string }) => boolean {
  const conveyancingCase = useClient().data?.conveyancing_case;
  return ({ caseId = conveyancingCase?.id, ...paidFor }) =>
    !!conveyancingCase && caseId === conveyancingCase.id && awaitsIdentityCheck(conveyancingCase, paidFor);
}

/**
 * Up to how much can be paid in a day although the firm has not asked for it, in pence; null: only what it has asked for;
 * undefined: no limit. Bills are always asked for.
 */
export const unaskedLimit = (
  firm: Pick<ConveyancingCase['firm'], 'payment_rules'> | undefined,
  category: OtherPaymentCategory,
): number | null | undefined =>
  category === 'legal_fees' ? undefined : firm?.payment_rules?.unasked[category];
