import type { CaseSearch, PaymentStatus } from '@keyturn/contract';
import { useEffect, useEffectEvent, useState } from 'react';
import type { OtherPayment } from '../../../api/case/case-store.ts';
import { hasErrorCode } from '../../../api/payments/has-error-code.ts';
import { usePaymentById, usePaymentIntent, useSearchToPay } from '../../../api/payments/payment-queries.ts';
import { payerOf } from '../../../api/payments/started-payment.ts';
import { useClient } from '../../../api/queries/use-client.ts';
import type { Payable } from '../frame/payable.ts';
import { isPaymentSettled } from '../status/payment-status.ts';
import type { PaymentSnapshot } from './payment-machine.ts';
import type { PaymentServerWithCache } from './payment-server.ts';
import { useLostStart } from './use-lost-start.ts';

/**
 * The server's state of a payment, polled while the screen is open.
 * @param isAwaited an answer about money is expected, so it is polled more often
 */
export function usePaymentSnapshot(
  payable: Payable,
  server: PaymentServerWithCache,
  isAwaited: boolean,
): { snapshot: PaymentSnapshot; retryStart(): void } {
  const otherPayment = payable.kind === 'other' ? payable.otherPayment : null;
  const searchQuery = useSearchToPay(payable.kind === 'search' ? payable.caseSearchId : null, {
    isAwaited,
    onRead: server.updateSearchList,
  });
  // A cached answer may be from before this payment was started or cancelled.
  const caseSearch = searchQuery.isFetchedAfterMount ? searchQuery.data : undefined;
  const paymentId = otherPayment ? otherPayment.paymentId : (caseSearch?.payment?.id ?? null);
  const paymentQuery = usePaymentById(paymentId, isAwaited);
  const payment = paymentQuery.data;
  const storedStatus =
    payment?.status ?? (otherPayment ? assumedStatus(otherPayment) : caseSearch?.payment?.status);
  const isOpen = storedStatus !== undefined && !isPaymentSettled(storedStatus);
  const isPayable = otherPayment ? storedStatus === undefined || isOpen : caseSearch?.payable;
  const isKnown = otherPayment ? payment !== undefined : true;
  const clientId = useClient().data?.id;
  // An other payment on this screen was entered here. The payer of a payment is set once, and never changes.
  const payer = otherPayment
    ? 'me'
    : clientId === undefined
      ? undefined
      : payerOf(payment?.payer.client ?? caseSearch?.payment?.payer, clientId).kind;

  const {
    intent,
    readAt,
    error: intentError,
  } = usePaymentIntent(paymentId, isPayable === true && isOpen && isKnown && payer === 'me');
  const isChecking = useRefreshOnDisagreement(server, {
    paymentId: payment?.id,
    readAt,
    disagrees: isOpen && (intentError ? isAboutStatus(intentError) : intent?.status !== storedStatus),
  });
  const lostStart = useLostStart(otherPayment);
  const startError = intentError ?? lostStart.error;
  const isReplaceable =
    !isChecking &&
    hasErrorCode(intentError, 'not_payable', 'payment_cancelled') &&
    canBeStartedAgain(caseSearch, storedStatus);
  return {
    snapshot: {
      payable: isPayable,
      status: isReplaceable ? undefined : storedStatus,
      amount: payment?.amount ?? otherPayment?.amount ?? caseSearch?.price.gross ?? 0,
      caseSearch,
      payment,
      intent,
      payer,
      isBeingChecked: hasErrorCode(startError, 'payment_being_checked'),
      isUnderReview:
        caseSearch?.under_review === true ||
        payment?.under_review === true ||
        hasErrorCode(startError, 'payment_under_review'),
      error: searchQuery.error ?? paymentQuery.error ?? (isChecking ? null : startError),
    },
    retryStart: lostStart.retry,
  };
}

/**
 * Makes the server ask the provider once for each reading of the intent that disagrees with the stored payment: the
 * provider has reported a change that the server has not received.
 * @returns whether that is in progress
 */
function useRefreshOnDisagreement(
  server: PaymentServerWithCache,
  { paymentId, readAt, disagrees }: { paymentId: string | undefined; readAt: number; disagrees: boolean },
): boolean {
  const [refreshedFor, setRefreshedFor] = useState(0);
  const refresh = useEffectEvent(async () => {
    if (paymentId !== undefined && disagrees) await server.refresh(paymentId).catch(() => undefined);
    setRefreshedFor(readAt);
  });
  const canCompare = readAt > 0 && paymentId !== undefined;
  useEffect(() => {
    if (canCompare && readAt > 0) void refresh();
  }, [canCompare, readAt]);
  return canCompare && disagrees && refreshedFor !== readAt;
}

/** A confirmed payment waits for a card as far as this page knows; an unconfirmed one has not been started. */
const assumedStatus = ({ confirmed }: OtherPayment): PaymentStatus | undefined =>
  confirmed ? 'requires_payment_method' : undefined;

/** Whether an error says that the payment has another status than the one stored. */
const isAboutStatus = (error: Error): boolean =>
  hasErrorCode(
    error,
    'already_paid',
    'not_payable',
    'payment_cancelled',
    'card_not_accepted',
    'bank_not_accepted',
    'payment_under_review',
  );

/** A payment that was started with a former provider, or that the provider stopped, is replaced when the client confirms again. */
const canBeStartedAgain = (caseSearch: CaseSearch | undefined, status: PaymentStatus | undefined): boolean =>
  caseSearch?.payable === true && status === 'requires_payment_method';
