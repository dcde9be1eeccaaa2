import { ApiError } from '@keyturn/browser/calls/api-error.ts';
import type { PaymentFailureCode, PaymentStatus } from '@keyturn/contract';

/**
 * An intent as the provider reports it to the browser. It decides what the screen offers next; whether a payment has
 * succeeded is decided by the server alone.
 */
export interface ProviderIntentState {
  status: PaymentStatus;
  /** Changes with every attempt that reached a bank. */
  revision: string;
  /** Why the last attempt failed; null if none did. */
  decline: PaymentFailureCode | null;
}

/** Whether a failed call may have taken effect, so that only the payment itself can tell its outcome. */
export const isOutcomeUnknown = (error: unknown): boolean =>
  !(error instanceof ApiError) ||
  error.status >= 500 ||
  error.code === 'unreachable' ||
  error.code === 'timed_out';
