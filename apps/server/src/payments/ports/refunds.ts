import type { RefundStatus } from '@keyturn/contract';

/** A refund at the provider. */
export interface ProviderRefund {
  refundId: string;
  /** Our request for it, from its metadata; null for a refund that staff made at the provider. */
  requestId: string | null;
  /** Pence. */
  amount: number;
  status: RefundStatus;
  /** The provider's code, such as `requested_by_customer`; null if none was given. */
  reason: string | null;
  /** The provider's code for why it failed; null while it has not. */
  failureReason: string | null;
  createdAt: Date;
}

/** A refund with the intent that it belongs to. */
export interface ListedRefund extends ProviderRefund {
  intentId: string;
}

/** A request to the provider for a refund. */
export interface RefundTerms {
  intentId: string;
  /** The request's id, which the refund's metadata names. */
  requestId: string;
  /** Pence. */
  amount: number;
  reason: RefundReason;
  idempotencyKey: string;
}

/** The reasons that Stripe accepts. */
export const refundReasons = ['requested_by_customer', 'duplicate', 'fraudulent'] as const;
export type RefundReason = (typeof refundReasons)[number];

/** Thrown when the provider permanently refused a refund: it was not made, and never will be with this key. */
export class RefundRefused extends Error {
  override name = 'RefundRefused';
  /** The provider's code, such as `charge_already_refunded`. */
  readonly code: string;

  constructor(code: string) {
    super(`the provider refused the refund: ${code}`);
    this.code = code;
  }
}
