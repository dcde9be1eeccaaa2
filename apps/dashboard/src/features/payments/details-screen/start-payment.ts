import type { CaseSearch } from '@keyturn/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { OtherPayment, PaymentConfirmation } from '../../../api/case/case-store.ts';
import { useCaseState, useCaseStore } from '../../../api/case/use-case-state.ts';
import { ApiError } from '../../../api/client/api-error.ts';
import {
  intentQueryKey,
  otherPaymentBody,
  searchPaymentBody,
} from '../../../api/payments/payment-requests.ts';
import { usePaymentTabStore } from '../../../api/payments/use-payment-tab-store.ts';
import { queryKeys } from '../../../api/queries/query-keys.ts';
import { useServices } from '../../../api/services/services.ts';

/**
 * Starts the payment for a search with what was confirmed, at the price that is shown, or goes on with the open one.
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
  const visit = usePaymentTabStore();
  // The same press, sent again after a lost answer, is the same payment.
  const idempotencyKey = useRef({ content: '', key: '' });
  return async (confirmed) => {
    visit.saveConfirmation(caseSearchId, confirmed);
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
      queries.setQueryData(intentQueryKey(generation, caseSearchId), intent);
      await queries.invalidateQueries({ queryKey: queryKeys.caseSearches(generation) });
    } catch (error) {
      if (isUpToPayment(error)) return;
      // The new price stands beside the question before it can be agreed to.
      if (error instanceof ApiError && error.code === 'price_changed')
        await queries.invalidateQueries({ queryKey: queryKeys.caseSearches(generation) });
      throw error;
    }
  };
}

/**
 * Starts the other payment that was entered, or goes on with it. Its answers are kept before they are sent, so that
 * a reload after a lost answer repeats the very same call.
 * @returns a function that resolves when the payment screen can be shown
 * @throws ApiError from that function
 */
export function useStartOtherPayment(): (confirmed: PaymentConfirmation) => Promise<void> {
  const { call } = useServices();
  const caseState = useCaseStore();
  const { generation } = useCaseState();
  const queries = useQueryClient();
  return async (confirmed) => {
    const entered = caseState.get().otherPayment;
    if (!entered) return;
    try {
      const paying = { ...(await withoutOtherAnswers(entered, confirmed)), confirmed };
      caseState.enterOtherPayment(paying);
      const intent = await call('POST /other-payments', {
        body: otherPaymentBody(paying, confirmed),
        idempotencyKey: paying.idempotencyKey,
      });
      queries.setQueryData(intentQueryKey(generation, paying.idempotencyKey), intent);
      caseState.enterOtherPayment({ ...paying, paymentId: intent.payment_id });
      await queries.invalidateQueries({ queryKey: queryKeys.payments(generation) });
    } catch (error) {
      if (!isUpToPayment(error)) throw error;
    }
  };

  /** Other answers make another payment: the one that was begun with the old ones is given up first. */
  async function withoutOtherAnswers(
    entered: OtherPayment,
    confirmed: PaymentConfirmation,
  ): Promise<OtherPayment> {
    if (!entered.confirmed || isSame(entered.confirmed, confirmed)) return entered;
    if (entered.paymentId) await call('POST /payments/{id}/cancel', { params: { id: entered.paymentId } });
    return { ...entered, idempotencyKey: crypto.randomUUID(), paymentId: null };
  }
}

/** It is paid, or may be: the payment screen shows how it stands. */
const isUpToPayment = (error: unknown) =>
  error instanceof ApiError &&
  (error.code === 'already_paid' ||
    error.code === 'payment_settled' ||
    error.code === 'payment_under_review' ||
    error.code === 'payment_being_checked');

const isSame = (one: PaymentConfirmation, other: PaymentConfirmation) =>
  one.own_card === other.own_card &&
  one.payer_name === other.payer_name &&
  one.receipt_email === other.receipt_email &&
  one.wording === other.wording;
