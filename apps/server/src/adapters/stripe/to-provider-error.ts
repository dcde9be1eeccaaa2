import Stripe from 'stripe';
import {
  IdempotencyKeyConflict,
  IntentNotFound,
  ProviderUnavailable,
} from '../../features/payments/ports.ts';

/**
 * What a call that Stripe did not fulfil means for payments. Our own faults, such as a key of ours that is refused or
 * terms that changed under an idempotency key, stay errors: a person has to look at them. Neither the address nor the
 * headers of the call are kept.
 */
export function toProviderError(error: unknown): Error {
  const { errors } = Stripe;
  if (error instanceof errors.StripeInvalidRequestError && error.code === 'resource_missing') {
    return new IntentNotFound('Stripe has no such intent');
  }
  if (error instanceof errors.StripeIdempotencyError || isRemembered(error)) {
    return new IdempotencyKeyConflict(`Stripe refused: ${described(error)}`);
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

/** Stripe answers a key with a failure of its own from before, and will do so until it forgets the key. */
const isRemembered = (error: unknown): error is Stripe.errors.StripeAPIError =>
  error instanceof Stripe.errors.StripeAPIError && error.headers?.['idempotent-replayed'] === 'true';

/** Stripe's own text may repeat what was sent, even a part of the key: its codes tell enough. */
const described = ({ type, code, statusCode, requestId }: Stripe.errors.StripeError) =>
  [type, code, statusCode, requestId].filter(Boolean).join(', ');
