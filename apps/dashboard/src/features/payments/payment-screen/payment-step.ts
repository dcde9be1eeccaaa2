import { openPaymentStatuses, type PaymentStatus } from '@keyturn/contract';
import type { Payer } from '../../../api/payments/started-payment.ts';

/**
 * The parts of the payment screen.
 * - `loading`: not known yet
 * - `confirm`: nothing has been confirmed, so the details screen comes first
 * - `card`: the card form
 * - `bank`: the bank asks for a confirmation of a card that was given in this tab
 * - `elsewhere`: the joint client has started the payment, or this client is making it on another page
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
  /** The client whose payment it is; undefined while it is not known. */
  payer: Payer['kind'] | undefined;
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
  payer,
  isOwn,
  checking,
  underReview,
}: StepFacts): PaymentStep {
  if (underReview) return 'review';
  if (payable === undefined) return 'loading';
  if (status !== undefined && isOpen(status)) {
    if (payer === undefined) return 'loading';
    if (payer === 'other') return hasPayment ? 'elsewhere' : 'loading';
    // No client has answered for a card yet.
    if (payer === 'no_one' && status === 'requires_payment_method') return payable ? 'confirm' : 'gone';
  }
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
      // The payment determines whose card must be entered.
      return hasIntent && hasPayment ? 'card' : 'loading';
    case 'cancelled':
    case undefined:
      return payable ? 'confirm' : 'gone';
  }
}

const isOpen = (status: PaymentStatus): boolean =>
  (openPaymentStatuses as readonly PaymentStatus[]).includes(status);
