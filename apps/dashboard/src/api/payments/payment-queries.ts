import type { CaseSearch, PaymentIntent } from '@keyturn/contract';
import { useQuery } from '@tanstack/react-query';
import { useCaseState } from '../case/case-store.ts';
import { queryKeys } from '../queries/query-keys.ts';
import { useServices } from '../services/services.ts';
import { hasErrorCode } from './has-error-code.ts';

export const paymentQueryKeys = {
  caseSearch: (generation: number, id: string | null) => [...queryKeys.caseSearches(generation), id],
  payment: (generation: number, id: string | null) => [...queryKeys.payments(generation), id],
  // Not below the case, because refreshing the case must not ask the provider. Kept in memory only.
  intent: (generation: number, paymentId: string | null) => ['payment-intents', generation, paymentId],
};

/**
 * One payment of the active case, refetched while it may change.
 * @param id null if there is none to read
 * @param isAwaited an answer about money is expected, so it is refetched more often
 */
export function usePaymentById(id: string | null, isAwaited = false) {
  const { call } = useServices();
  const { generation } = useCaseState();
  return useQuery({
    queryKey: paymentQueryKeys.payment(generation, id),
    queryFn: ({ signal }) => call('GET /payments/{id}', { params: { id: id ?? '' }, signal }),
    enabled: id !== null,
    refetchInterval: ({ state }) => (isAwaited || state.data?.status === 'processing' ? 500 : 5_000),
    staleTime: 0,
  });
}

/**
 * The search that is being paid for, refetched while its payment may change.
 * @param onRead receives each answer
 */
export function useSearchToPay(
  id: string | null,
  { isAwaited, onRead }: { isAwaited: boolean; onRead(caseSearch: CaseSearch): void },
) {
  const { call } = useServices();
  const { generation } = useCaseState();
  return useQuery({
    queryKey: paymentQueryKeys.caseSearch(generation, id),
    queryFn: async ({ signal }) => {
      const caseSearch = await call('GET /case-searches/{id}', { params: { id: id ?? '' }, signal });
      onRead(caseSearch);
      return caseSearch;
    },
    enabled: id !== null,
    refetchInterval: isAwaited ? 1_000 : 5_000,
    staleTime: 0,
  });
}

/** An intent that this client may pay. */
export type PayableIntent = PaymentIntent & { client_secret: string };

const isPayableIntent = (intent: PaymentIntent): intent is PayableIntent => intent.client_secret !== null;

/**
 * The intent of an open payment that this client has confirmed, with what the browser needs to pay it. Read once; read
 * again only while the server cannot say whether money has moved.
 */
export function usePaymentIntent(paymentId: string | null, isPayable: boolean) {
  const { call } = useServices();
  const { generation } = useCaseState();
  const { data, error, dataUpdatedAt, errorUpdatedAt } = useQuery({
    queryKey: paymentQueryKeys.intent(generation, paymentId),
    queryFn: ({ signal }) => call('GET /payments/{id}/intent', { params: { id: paymentId ?? '' }, signal }),
    enabled: isPayable && paymentId !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchInterval: ({ state }) => (hasErrorCode(state.error, 'payment_being_checked') ? 5_000 : false),
  });
  const intent = data && isPayableIntent(data) ? data : undefined;
  return { intent, error, readAt: Math.max(dataUpdatedAt, errorUpdatedAt) };
}
