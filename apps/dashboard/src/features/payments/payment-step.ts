import type { PaymentStatus } from '@keyturn/contract';

/**
 * Where a client is on the payment screen.
 * - `loading`: not known yet
 * - `confirm`: nothing was confirmed yet; the check before paying comes first
 * - `card`: a card can be given
 * - `bank`: the bank asks for a confirmation
 * - `checking`: money may be moving; nothing may be pressed
 * - `paid`: done, with a receipt
 * - `gone`: it cannot be paid, or was canceled
 */
export type PaymentStep = 'loading' | 'confirm' | 'card' | 'bank' | 'checking' | 'paid' | 'gone';

export interface KnownOfPayment {
  /** Whether a payment can be started or gone on with; undefined while that is not known. */
  payable: boolean | undefined;
  /** As far as it is known; undefined where no payment has been started. */
  status: PaymentStatus | undefined;
  /** The payment itself was read. */
  hasPayment: boolean;
  hasIntent: boolean;
  /** This page waits for an answer about money. */
  checking: boolean;
}

/** The step, from what the server says; `checking` only ever holds back what could be pressed. */
export function stepOf({ payable, status, hasPayment, hasIntent, checking }: KnownOfPayment): PaymentStep {
  if (payable === undefined) return 'loading';
  switch (status) {
    case 'succeeded':
    case 'partially_refunded':
    case 'refunded':
      return hasPayment ? 'paid' : 'loading';
    case 'processing':
      return 'checking';
    case 'requires_action':
      return checking ? 'checking' : hasIntent ? 'bank' : payable ? 'loading' : 'gone';
    case 'requires_payment_method':
      if (checking) return 'checking';
      return payable ? (hasIntent ? 'card' : 'loading') : 'gone';
    case 'canceled':
    case undefined:
      return payable ? 'confirm' : 'gone';
  }
}
