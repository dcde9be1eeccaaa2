import type { PaymentStatus } from '@keyturn/contract';
import { ApiError } from '../client/api-error.ts';

/**
 * What a provider tells the browser of an intent. It decides what is offered next and what is waited for; that a
 * payment is paid is the server's to say.
 */
export interface ProviderIntentState {
  status: PaymentStatus;
  /** Another one after every attempt that reached a bank. */
  revision: string;
  /** Why the last card was refused, as a code of `card-refusals.ts`; null where none was. */
  refusal: string | null;
}

/** Whether a failed call may have taken effect all the same: then only the payment itself can tell. */
export const isOutcomeUnknown = (error: unknown): boolean =>
  !(error instanceof ApiError) ||
  error.status >= 500 ||
  error.code === 'unreachable' ||
  error.code === 'timed_out';
