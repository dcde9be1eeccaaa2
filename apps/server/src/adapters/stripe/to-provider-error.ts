import Stripe from 'stripe';
import {
  IdempotencyKeyConflict,
  IntentNotFound,
  ProviderKeyRejected,
  ProviderRefused,
  ProviderRightMissing,
  ProviderUnavailable,
} from '../../payments/ports/provider.ts';

/**
 * Converts an error of the Stripe SDK to the port's errors. The result contains neither the address nor the headers of the call.
 */
export function toProviderError(error: unknown): Error {
  const { errors } = Stripe;
  if (error instanceof errors.StripeInvalidRequestError && error.code === 'resource_missing') {
    return new IntentNotFound('Stripe has no such intent');
  }
  if (error instanceof errors.StripeIdempotencyError || isReplayed(error)) {
    return new IdempotencyKeyConflict(`Stripe refused: ${describe(error)}`);
  }
  if (
    error instanceof errors.StripeConnectionError ||
    error instanceof errors.StripeRateLimitError ||
    // Every 5xx, and 409 for a concurrent call with the same key.
    error instanceof errors.StripeAPIError
  ) {
    return new ProviderUnavailable(`Stripe did not answer: ${describe(error)}`);
  }
  if (error instanceof errors.StripeAuthenticationError || error instanceof errors.StripePermissionError) {
    const right = missingRight(error);
    const message = `Stripe rejects the key: ${describe(error)}`;
    return right
      ? new ProviderRightMissing(`${message}, missing right ${right}`, right)
      : new ProviderKeyRejected(message);
  }
  if (error instanceof errors.StripeError) return new ProviderRefused(`Stripe refused: ${describe(error)}`);
  return error instanceof Error ? error : new Error(String(error));
}

/** Whether Stripe repeats an earlier failure for this idempotency key, as it does until the key expires. */
const isReplayed = (error: unknown): error is Stripe.errors.StripeAPIError =>
  error instanceof Stripe.errors.StripeAPIError && error.headers?.['idempotent-replayed'] === 'true';

/** Returns the right that a restricted key lacks. Only Stripe's message names it, next to the account and a part of the key. */
const missingRight = ({ message }: Stripe.errors.StripeError): string | undefined =>
  /rak_[a-z_]{1,60}/.exec(message)?.[0];

/** Stripe's message may repeat what was sent, even part of the key, so only its codes are used. */
const describe = ({ type, code, statusCode, requestId }: Stripe.errors.StripeError) =>
  [type, code, statusCode, requestId].filter(Boolean).join(', ');
