/**
 * Whether a payment is under way on this page. Nothing may take the page away meanwhile: no maintenance, no newer
 * build.
 */
export interface PaymentUnderWay {
  get(): boolean;
  /** @returns the end, which counts once */
  begin(): () => void;
  subscribe(listener: () => void): () => void;
}

export function createPaymentUnderWay(): PaymentUnderWay {
  const listeners = new Set<() => void>();
  const begun = new Set<symbol>();
  const tell = () => {
    for (const listener of [...listeners]) listener();
  };
  return {
    get: () => begun.size > 0,
    begin: () => {
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
