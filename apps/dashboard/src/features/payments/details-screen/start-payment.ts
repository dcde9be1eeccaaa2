import type { CaseSearch } from '@keyturn/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { OtherPayment, PaymentConfirmation } from '../../../api/case/case-store.ts';
import { useCaseState, useCaseStore } from '../../../api/case/case-store.ts';
import { hasErrorCode } from '../../../api/payments/has-error-code.ts';
import { searchPaymentBody } from '../../../api/payments/payment-bodies.ts';
import { paymentQueryKeys } from '../../../api/payments/payment-queries.ts';
import { useCreateOtherPayment } from '../../../api/payments/use-create-other-payment.ts';
import { usePaymentTabStore } from '../../../api/payments/use-payment-tab-store.ts';
import { queryKeys } from '../../../api/queries/query-keys.ts';
import { useServices } from '../../../api/services/services.ts';

/**
 * Starts the payment for a search at the price that is shown, or continues the open one, with what the client confirmed.
 * @returns a function that resolves when the payment screen can be shown
 * @throws ApiError from that function
 */
export function useStartSearchPayment({
  id: caseSearchId,
  price,
}: CaseSearch): (confirmed: PaymentConfirmation) => Promise<void> {
  const { call } = useServices();
  const { generation } = useCaseState();
  const queries = useQueryClient();
  const tabStore = usePaymentTabStore();
  // Pressing again after a lost response must not start a second payment.
  const idempotencyKey = useRef({ content: '', key: '' });
  return async (confirmed) => {
    tabStore.saveConfirmation(caseSearchId, confirmed, price.gross);
    const body = searchPaymentBody(confirmed, price.gross);
    const content = JSON.stringify(body);
    if (idempotencyKey.current.content !== content)
      idempotencyKey.current = { content, key: crypto.randomUUID() };
    try {
      const intent = await call('POST /case-searches/{id}/payments', {
        params: { id: caseSearchId },
        body,
        idempotencyKey: idempotencyKey.current.key,
      });
      queries.setQueryData(paymentQueryKeys.intent(generation, intent.payment_id), intent);
      await queries.invalidateQueries({ queryKey: queryKeys.caseSearches(generation) });
    } catch (error) {
      if (isShownByPaymentScreen(error)) return;
      // The client must see the new price, the new words, or who pays, before they decide.
      if (hasErrorCode(error, 'price_changed', 'wording_changed', 'started_by_other_client'))
        await queries.invalidateQueries({ queryKey: queryKeys.caseSearches(generation) });
      throw error;
    }
  };
}

/**
 * Starts the other payment that was entered, or continues it. The confirmation is stored before it is sent, so that a
 * reload after a lost answer repeats the same call.
 * @returns a function that resolves when the payment screen can be shown
 * @throws ApiError from that function
 */
export function useStartOtherPayment(): (confirmed: PaymentConfirmation) => Promise<void> {
  const { call } = useServices();
  const caseState = useCaseStore();
  const { generation } = useCaseState();
  const queries = useQueryClient();
  const createOtherPayment = useCreateOtherPayment();
  return async (confirmed) => {
    const entered = caseState.get().otherPayment;
    if (!entered) return;
    try {
      const otherPayment = { ...(await cancelIfChanged(entered, confirmed)), confirmed };
      caseState.enterOtherPayment(otherPayment);
      if (otherPayment.paymentId === null) await createOtherPayment(otherPayment);
      await queries.invalidateQueries({ queryKey: queryKeys.payments(generation) });
    } catch (error) {
      if (!isShownByPaymentScreen(error)) throw error;
    }
  };

  /** A different confirmation makes it a different payment, so one that was started before is cancelled first. */
  async function cancelIfChanged(
    entered: OtherPayment,
    confirmed: PaymentConfirmation,
  ): Promise<OtherPayment> {
    const isUnchanged = entered.confirmed && isSameConfirmation(entered.confirmed, confirmed);
    if (isUnchanged || (!entered.confirmed && entered.paymentId === null)) return entered;
    if (entered.paymentId) await call('POST /payments/{id}/cancel', { params: { id: entered.paymentId } });
    return { ...entered, idempotencyKey: crypto.randomUUID(), paymentId: null };
  }
}

/** Whether the payment was made, or may have been: the payment screen shows its status. */
const isShownByPaymentScreen = (error: unknown) =>
  hasErrorCode(error, 'already_paid', 'payment_settled', 'payment_under_review', 'payment_being_checked');

const isSameConfirmation = (a: PaymentConfirmation, b: PaymentConfirmation) =>
  a.own_card === b.own_card &&
  a.payer_name === b.payer_name &&
  a.receipt_email === b.receipt_email &&
  a.wording === b.wording;
