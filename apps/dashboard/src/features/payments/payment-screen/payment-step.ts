import type { PaymentStatus } from '@keyturn/contract';

/**
 * Where a client is on the payment screen.
 * - `loading`: not known yet
 * - `confirm`: nothing was confirmed yet; the check before paying comes first
 * - `card`: a card can be given
 * - `bank`: the bank asks for a confirmation, and here is where it was asked for
 * - `elsewhere`: it is being paid on another page, by the other owner or by this client
 * - `checking`: money may be moving; nothing may be pressed
 * - `paid`: done, with a receipt
 * - `gone`: it cannot be paid, or was cancelled
 * - `review`: the firm has to look at it; not to be paid again meanwhile
 */
export type PaymentStep =
  | 'loading'
  | 'confirm'
  | 'card'
  | 'bank'
  | 'elsewhere'
  | 'checking'
  | 'paid'
  | 'gone'
  | 'review';

export interface KnownOfPayment {
  /** Whether a payment can be started or gone on with; undefined while that is not known. */
  payable: boolean | undefined;
  /** As far as it is known; undefined where no payment has been started. */
  status: PaymentStatus | undefined;
  /** The payment itself was read. */
  hasPayment: boolean;
  hasIntent: boolean;
  /** The card that is being asked about was given on this page. */
  isOwn: boolean;
  /** This page waits for an answer about money. */
  checking: boolean;
  /** The firm has to look at it. */
  underReview: boolean;
}

/** The step, from what the server says; `checking` only ever holds back what could be pressed. */
export function stepOf(known: KnownOfPayment): PaymentStep {
  const { payable, status, hasPayment, hasIntent, isOwn, checking } = known;
  if (known.underReview) return 'review';
  if (payable === undefined) return 'loading';
  switch (status) {
    case 'succeeded':
    case 'partially_refunded':
    case 'refunded':
      return hasPayment ? 'paid' : 'loading';
    case 'processing':
      if (isOwn || checking) return 'checking';
      return hasPayment ? 'elsewhere' : 'loading';
    case 'requires_action':
      if (checking) return 'checking';
      if (!isOwn) return hasPayment ? 'elsewhere' : 'loading';
      return hasIntent ? 'bank' : payable ? 'loading' : 'gone';
    case 'requires_payment_method':
      if (checking) return 'checking';
      return payable ? (hasIntent ? 'card' : 'loading') : 'gone';
    case 'cancelled':
    case undefined:
      return payable ? 'confirm' : 'gone';
  }
}
