import { type Services, useServices } from '../services/services.ts';
import { createPaymentTabStore, type PaymentTabStore } from './payment-tab-store.ts';

/** The page's only payment tab store, created when a payment screen first needs it. */
export function usePaymentTabStore(): PaymentTabStore {
  const { auth, tab } = useServices();
  const store = stores.get(auth) ?? createPaymentTabStore(tab, auth);
  stores.set(auth, store);
  return store;
}

const stores = new WeakMap<Services['auth'], PaymentTabStore>();
