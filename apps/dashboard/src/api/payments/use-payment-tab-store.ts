import { type Services, useServices } from '../services/services.ts';
import { createPaymentTabStore, type PaymentTabStore } from './payment-tab-store.ts';

/** The one store of a page; made where a payment first needs it. */
export function usePaymentTabStore(): PaymentTabStore {
  const { auth, tab } = useServices();
  const visit = visits.get(auth) ?? createPaymentTabStore(tab, auth);
  visits.set(auth, visit);
  return visit;
}

const visits = new WeakMap<Services['auth'], PaymentTabStore>();
