import type { PaymentStatus } from '@keyturn/contract';

/**
 * The parts of the payment screen.
 * - `loading`: not known yet
 * - `confirm`: nothing has been confirmed, so the details screen comes first
 * - `card`: the card form
 * - `bank`: the bank asks for a confirmation of a card that was given in this tab
 * - `elsewhere`: the payment is being made on another page, by the joint owner or by this client
 * - `checking`: money may be moving, so there is nothing to press
 * - `paid`: the receipt
 * - `gone`: it cannot be paid, or it was cancelled
 * - `review`: the firm is reviewing it, and it must not be paid again
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

export interface StepFacts {
  /** Whether a payment can be started or continued; undefined until known. */
  payable: boolean | undefined;
  /** Undefined if no payment has been started, or while it is not known. */
  status: PaymentStatus | undefined;
  /** The payment itself has been read. */
  hasPayment: boolean;
  hasIntent: boolean;
  /** The last card was given in this tab. */
  isOwn: boolean;
  /** An answer about money is expected. */
  checking: boolean;
  underReview: boolean;
}

/** Chooses the part of the screen. The server's facts decide; `checking` only hides what could be pressed. */
export function stepFor({
  payable,
  status,
  hasPayment,
  hasIntent,
  isOwn,
  checking,
  underReview,
}: StepFacts): PaymentStep {
  if (underReview) return 'review';
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
      if (hasIntent) return 'bank';
      return payable ? 'loading' : 'gone';
    case 'requires_payment_method':
      if (checking) return 'checking';
      if (!payable) return 'gone';
      return hasIntent ? 'card' : 'loading';
    case 'cancelled':
    case undefined:
      return payable ? 'confirm' : 'gone';
  }
}
