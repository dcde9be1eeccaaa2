import { createStore, type ReadableStore } from '@keyturn/browser/store/create-store.ts';

/** Whether a payment is in progress on this page. Maintenance and newer builds must not interrupt it. */
export interface PaymentInProgress extends ReadableStore<boolean> {
  /** @returns a function that ends it; only its first call has an effect */
  start(): () => void;
}

export function createPaymentInProgress(): PaymentInProgress {
  const active = new Set<symbol>();
  const { get, set, subscribe } = createStore(false);
  return {
    get,
    subscribe,
    start: () => {
      const payment = Symbol('payment');
      active.add(payment);
      set(true);
      return () => {
        active.delete(payment);
        set(active.size > 0);
      };
    },
  };
}
