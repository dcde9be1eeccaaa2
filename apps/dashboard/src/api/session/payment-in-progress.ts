/** Whether a payment is in progress on this page. Maintenance and newer builds must not interrupt it. */
export interface PaymentInProgress {
  get(): boolean;
  /** @returns a function that ends it; only its first call has an effect */
  start(): () => void;
  subscribe(listener: () => void): () => void;
}

export function createPaymentInProgress(): PaymentInProgress {
  const listeners = new Set<() => void>();
  const active = new Set<symbol>();
  const notify = () => {
    for (const listener of [...listeners]) listener();
  };
  return {
    get: () => active.size > 0,
    start: () => {
      const payment = Symbol('payment');
      active.add(payment);
      notify();
      return () => {
        if (active.delete(payment)) notify();
      };
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
