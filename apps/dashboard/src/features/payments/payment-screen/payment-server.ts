import type { CaseSearch, PaymentConfirmationBody, PaymentStatus } from '@keyturn/contract';
import type { QueryClient } from '@tanstack/react-query';
import type { Call } from '../../../api/client/call.ts';
import { paymentQueryKeys } from '../../../api/payments/payment-queries.ts';
import { queryKeys } from '../../../api/queries/query-keys.ts';
import type { Payable } from '../frame/payable.ts';
import type { PaymentServer } from './payment-controller.ts';

export interface PaymentServerOptions {
  payable: Payable;
  /** The generation of the active case, as in the query keys. */
  generation: number;
  call: Call;
  queries: QueryClient;
  refreshCase(): Promise<void>;
}

/** The calls of the payment screen. Their answers go into the query cache. */
export interface PaymentServerWithCache extends PaymentServer {
  /** Shows a search that was read in the list of searches, unless its payment's status is known to be outdated. */
  updateSearchList(caseSearch: CaseSearch): void;
}

export function createPaymentServer({
  payable,
  generation,
  call,
  queries,
  refreshCase,
}: PaymentServerOptions): PaymentServerWithCache {
  const caseSearchId = payable.kind === 'search' ? payable.caseSearchId : null;
  const searchKey = paymentQueryKeys.caseSearch(generation, caseSearchId);
  /** A status on the server that is outdated at the provider. */
  let outdatedStatus: PaymentStatus | null = null;

  const changeInSearchList = (id: string, change: (before: CaseSearch) => CaseSearch) =>
    queries.setQueryData<CaseSearch[]>(queryKeys.caseSearches(generation), (all) =>
      all?.map((caseSearch) => (caseSearch.id === id ? change(caseSearch) : caseSearch)),
    );

  /** The payment is already confirmed; only the price on the screen remains to be agreed. */
  const shownPrice = (): PaymentConfirmationBody => {
    const price = queries.getQueryData<CaseSearch>(searchKey)?.price.gross;
    return price === undefined ? {} : { price };
  };

  return {
    confirm: async (paymentId) => {
      await call('POST /payments/{id}/confirm', { params: { id: paymentId }, body: shownPrice() });
    },
    refresh: async (paymentId) => {
      const payment = await call('POST /payments/{id}/refresh', { params: { id: paymentId } });
      queries.setQueryData(paymentQueryKeys.payment(generation, paymentId), payment);
      return payment.status;
    },
    refetch: async (paymentId) => {
      const intentKey = paymentQueryKeys.intent(generation, paymentId ?? null);
      await Promise.all([
        caseSearchId !== null && queries.refetchQueries({ queryKey: searchKey, exact: true }),
        paymentId !== undefined &&
          queries.refetchQueries({
            queryKey: paymentQueryKeys.payment(generation, paymentId),
            exact: true,
          }),
        queries.getQueryState(intentKey)?.status === 'error' &&
          queries.refetchQueries({ queryKey: intentKey, exact: true }),
      ]);
    },
    refreshCase,
    setOptimisticStatus: (status, serverStatus) => {
      // Only the server can say that a payment has succeeded.
      const optimisticStatus = status === 'succeeded' ? 'processing' : status;
      outdatedStatus = optimisticStatus === serverStatus ? null : (serverStatus ?? null);
      if (caseSearchId !== null) {
        changeInSearchList(caseSearchId, (before) =>
          before.payment ? { ...before, payment: { ...before.payment, status: optimisticStatus } } : before,
        );
      }
      void queries.invalidateQueries({ queryKey: queryKeys.payments(generation), refetchType: 'none' });
    },
    updateSearchList: (caseSearch) => {
      if (caseSearch.payment?.status === outdatedStatus) return;
      outdatedStatus = null;
      changeInSearchList(caseSearch.id, () => caseSearch);
    },
  };
}
