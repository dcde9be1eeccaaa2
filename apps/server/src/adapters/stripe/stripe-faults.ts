import Stripe from 'stripe';
import { FailureKept, IntentUnknown, ProviderUnavailable } from '../../features/payments/ports.ts';

/**
 * What a call that Stripe did not fulfil means for payments. Our own faults, such as a key of ours that is refused or
 * terms that changed under an idempotency key, stay errors: a person has to look at them. Neither the address nor the
 * headers of the call are kept.
 */
export function inOurWords(error: unknown): Error {
  const { errors } = Stripe;
  if (error instanceof errors.StripeInvalidRequestError && error.code === 'resource_missing') {
    return new IntentUnknown('Stripe has no such intent');
  }
  if (error instanceof errors.StripeError && isKept(error)) {
    return new FailureKept(`Stripe has failed: ${described(error)}`);
  }
  if (
    error instanceof errors.StripeConnectionError ||
    error instanceof errors.StripeRateLimitError ||
    // Every 5xx, and 409: another call with this key is under way.
    error instanceof errors.StripeAPIError
  ) {
    return new ProviderUnavailable(`Stripe did not answer: ${described(error)}`);
  }
  if (error instanceof errors.StripeError) return new Error(`Stripe refused: ${described(error)}`);
  return error instanceof Error ? error : new Error(String(error));
}

/** Stripe keeps the first answer to a key for 24 h, a fault of its own too, and says that this is such a one. */
const isKept = ({ statusCode, headers }: Stripe.errors.StripeError) =>
  (statusCode ?? 0) >= 500 && headers?.['idempotent-replayed'] === 'true';

/** Stripe's own text may repeat what was sent, even a part of the key: its codes tell enough. */
const described = ({ type, code, statusCode, requestId }: Stripe.errors.StripeError) =>
  [type, code, statusCode, requestId].filter(Boolean).join(', ');
