import { type Services, useServices } from '../services/services.ts';
import { createPaymentVisit, type PaymentVisit } from './payment-visit.ts';

/** The one store of a page; made where a payment first needs it. */
export function usePaymentVisit(): PaymentVisit {
  const { auth, tab } = useServices();
  const visit = visits.get(auth) ?? createPaymentVisit(tab, auth);
  visits.set(auth, visit);
  return visit;
}

const visits = new WeakMap<Services['auth'], PaymentVisit>();
