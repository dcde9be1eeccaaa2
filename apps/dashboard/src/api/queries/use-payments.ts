import type { Payment } from '@keyturn/contract';
import { useQuery } from '@tanstack/react-query';
import { useCaseState } from '../case/case-store.ts';
import { useServices } from '../services/services.ts';
import { callOptions, usePolling } from './polling.ts';
import { queryKeys } from './query-keys.ts';

/** Every payment of the active case, newest first. Polls faster while a bank is confirming a payment. */
export function usePayments() {
  const { call } = useServices();
  const { generation } = useCaseState();
  return useQuery({
    queryKey: queryKeys.payments(generation),
    queryFn: (context) => call('GET /payments', callOptions(context)),
    ...usePolling((payments: Payment[]) => payments.map(({ status }) => status)),
  });
}
