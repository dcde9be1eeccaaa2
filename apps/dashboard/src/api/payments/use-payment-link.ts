import { useQuery } from '@tanstack/react-query';
import { useServices } from '../services/services.ts';

/** The current target of a payment link from the firm; the link can be for any of the client's cases. */
export function usePaymentLink(id: string) {
  const { call } = useServices();
  return useQuery({
    queryKey: ['payment-links', id],
    queryFn: ({ signal }) => call('GET /payment-links/{id}', { params: { id }, signal }),
    staleTime: 0,
  });
}
