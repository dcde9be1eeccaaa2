import type { CaseSearch, Payment, PaymentIntent, PaymentStatus } from '@keyturn/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { OtherPayment } from '../../../api/case/case-store.ts';
import { useCaseState, useCaseStore } from '../../../api/case/use-case-state.ts';
import { ApiError } from '../../../api/client/api-error.ts';
import {
  intentQueryKey,
  otherPaymentBody,
  searchPaymentBody,
} from '../../../api/payments/payment-requests.ts';
import { usePaymentById } from '../../../api/payments/use-payment-by-id.ts';
import { usePaymentTabStore } from '../../../api/payments/use-payment-tab-store.ts';
import { queryKeys } from '../../../api/queries/query-keys.ts';
import { useServices } from '../../../api/services/services.ts';
import type { Payable } from '../shared/payable.ts';
import { isSettled } from '../shared/payment-status.ts';

/** What the server says of a payment of either kind, asked again and again. */
export interface KnownPayment {
  payable: boolean | undefined;
  status: PaymentStatus | undefined;
  /** Pence. */
  amount: number;
  caseSearch: CaseSearch | undefined;
  payment: Payment | undefined;
  intent: PaymentIntent | undefined;
  /** The server does not know whether money has moved, and is finding out. */
  isBeingChecked: boolean;
  /** The firm has to look at it. */
  isUnderReview: boolean;
  error: Error | null;
  refetch(): Promise<void>;
  /**
   * Goes on with the open payment in the name of this client, with what they confirmed in this tab.
   * @throws ApiError
   */
  confirmForThisClient(): Promise<PaymentIntent>;
  /**
   * Makes the server ask the provider, and gives what it learned.
   * @throws ApiError
   */
  syncFromProvider(): Promise<PaymentStatus>;
  /** The provider has told what the server is about to hear: other screens go by it meanwhile. */
  setOptimisticStatus(status: PaymentStatus): void;
}

/** @param isAwaited an answer about money is awaited: asks more often */
export function useKnownPayment(payable: Payable, isAwaited: boolean): KnownPayment {
  const { call } = useServices();
  const caseState = useCaseStore();
  const visit = usePaymentTabStore();
  const queries = useQueryClient();
  const { generation } = useCaseState();
  const caseSearchId = payable.kind === 'search' ? payable.caseSearchId : null;
  const otherPayment = payable.kind === 'other' ? payable.otherPayment : null;

  /** The status that the provider has gone beyond, and the server not yet. */
  const outdated = useRef<PaymentStatus | null>(null);
  const caseSearchQuery = useQuery({
    queryKey: [...queryKeys.caseSearches(generation), caseSearchId],
    queryFn: async ({ signal }) => {
      const found = await call('GET /case-searches/{id}', { params: { id: caseSearchId ?? '' }, signal });
      // The list of them says the same at once: no screen asks for money that is on its way.
      if (found.payment?.status !== outdated.current) {
        outdated.current = null;
        queries.setQueryData<CaseSearch[]>(queryKeys.caseSearches(generation), (all) =>
          all?.map((caseSearch) => (caseSearch.id === found.id ? found : caseSearch)),
        );
      }
      return found;
    },
    enabled: caseSearchId !== null,
    refetchInterval: isAwaited ? 1_000 : 5_000,
    staleTime: 0,
  });
  // As it stood on an earlier visit it may have no payment yet, or one that was given up since.
  const caseSearch = caseSearchQuery.isFetchedAfterMount ? caseSearchQuery.data : undefined;
  const paymentId = otherPayment ? otherPayment.paymentId : (caseSearch?.payment?.id ?? null);
  const paymentQuery = usePaymentById(paymentId, isAwaited);
  const payment = paymentQuery.data;
  const status =
    payment?.status ?? (otherPayment ? assumedStatus(otherPayment) : caseSearch?.payment?.status);
  const canBePaid = otherPayment ? !(status && isSettled(status)) : caseSearch?.payable;

  // Asking for an intent starts a payment where there is none: only for one that was confirmed and is still open.
  const isOpen = status !== undefined && !isSettled(status);
  const isKnownOpen = otherPayment ? otherPayment.paymentId === null || payment !== undefined : true;
  const intentQuery = useQuery({
    queryKey: intentQueryKey(generation, otherPayment?.idempotencyKey ?? caseSearchId ?? ''),
    queryFn: ({ signal }) =>
      otherPayment?.confirmed
        ? call('POST /other-payments', {
            body: otherPaymentBody(otherPayment, otherPayment.confirmed),
            idempotencyKey: otherPayment.idempotencyKey,
            signal,
          })
        : call('POST /case-searches/{id}/payments', { params: { id: caseSearchId ?? '' }, signal }),
    enabled: canBePaid === true && isOpen && isKnownOpen,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchInterval: ({ state }) => (isCheck(state.error) ? 5_000 : false),
  });
  const intent = intentQuery.data;

  // To begin with an intent the server asks the provider: what it learned may be news about the payment itself.
  const learnedAt = Math.max(intentQuery.dataUpdatedAt, intentQuery.errorUpdatedAt);
  const hasLearned =
    paymentId !== null && learnedAt > paymentQuery.dataUpdatedAt && intent?.status !== status;
  const onLearned = useEffectEvent(() => void paymentQuery.refetch());
  useEffect(() => {
    if (hasLearned && learnedAt > 0) onLearned();
  }, [hasLearned, learnedAt]);

  // The first answer that names an other payment: from now on it can be read by its id.
  const namedId = otherPayment && otherPayment.paymentId === null ? (intent?.payment_id ?? null) : null;
  const onNamed = useEffectEvent((id: string) => {
    const entered = caseState.get().otherPayment;
    if (entered && entered.idempotencyKey === otherPayment?.idempotencyKey)
      caseState.enterOtherPayment({ ...entered, paymentId: id });
  });
  useEffect(() => {
    if (namedId !== null) onNamed(namedId);
  }, [namedId]);

  return {
    payable: canBePaid,
    status,
    amount: payment?.amount ?? otherPayment?.amount ?? caseSearch?.price.gross ?? 0,
    caseSearch,
    payment,
    intent,
    isBeingChecked: isCheck(intentQuery.error),
    isUnderReview:
      caseSearch?.under_review === true ||
      payment?.under_review === true ||
      isRefusedFor(intentQuery.error, 'payment_under_review'),
    error: caseSearchQuery.error ?? paymentQuery.error ?? intentQuery.error,
    refetch: async () => {
      await Promise.all([
        caseSearchId === null ? undefined : caseSearchQuery.refetch(),
        paymentId === null ? undefined : paymentQuery.refetch(),
        intentQuery.isError ? intentQuery.refetch() : undefined,
      ]);
    },
    confirmForThisClient: async () => {
      if (otherPayment?.confirmed) {
        return call('POST /other-payments', {
          body: otherPaymentBody(otherPayment, otherPayment.confirmed),
          idempotencyKey: otherPayment.idempotencyKey,
        });
      }
      const id = caseSearchId ?? '';
      const confirmed = visit.confirmationFor(id);
      return call('POST /case-searches/{id}/payments', {
        params: { id },
        ...(confirmed ? { body: searchPaymentBody(confirmed, caseSearch?.price.gross) } : {}),
      });
    },
    syncFromProvider: async () => {
      const { data, error } = await intentQuery.refetch();
      if (data && !error) return data.status;
      if (error instanceof ApiError && error.code === 'already_paid') return 'succeeded';
      if (error instanceof ApiError && error.code === 'not_payable') return 'cancelled';
      throw error ?? new Error('the server did not answer');
    },
    setOptimisticStatus: (told) => {
      // Paid is only what the server has heard.
      const foretold = told === 'succeeded' ? 'processing' : told;
      outdated.current = foretold === status ? null : (status ?? null);
      queries.setQueryData<CaseSearch[]>(queryKeys.caseSearches(generation), (all) =>
        all?.map((one) =>
          one.id === caseSearchId && one.payment
            ? { ...one, payment: { ...one.payment, status: foretold } }
            : one,
        ),
      );
      void queries.invalidateQueries({ queryKey: queryKeys.payments(generation), refetchType: 'none' });
    },
  };
}

/** What was confirmed waits for a card as far as is known here; what was not has not begun. */
const assumedStatus = ({ confirmed }: OtherPayment): PaymentStatus | undefined =>
  confirmed ? 'requires_payment_method' : undefined;

const isCheck = (error: Error | null) => isRefusedFor(error, 'payment_being_checked');

const isRefusedFor = (error: Error | null, code: ApiError['code']) =>
  error instanceof ApiError && error.code === code;
