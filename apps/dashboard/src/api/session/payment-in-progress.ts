/**
 * Whether a payment is under way on this page. Nothing may take the page away meanwhile: no maintenance, no newer
 * build.
 */
export interface PaymentInProgress {
  get(): boolean;
  /** @returns the end, which counts once */
  start(): () => void;
  subscribe(listener: () => void): () => void;
}

export function createPaymentInProgress(): PaymentInProgress {
  const listeners = new Set<() => void>();
  const begun = new Set<symbol>();
  const tell = () => {
    for (const listener of [...listeners]) listener();
  };
  return {
    get: () => begun.size > 0,
    start: () => {
      const one = Symbol('payment');
      begun.add(one);
      tell();
      return () => {
        if (begun.delete(one)) tell();
      };
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
