import type { OtherPaymentBody, PaymentIntent } from '@keyturn/contract';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { checkAmount, type LimitsByMethod } from './check-can-be-paid.ts';
import { readConfirmation } from './confirmation.ts';
import { startPayment } from './start-payment.ts';

/**
 * Starts a payment that is not for a search, for the client's active case, or continues the payment that the same
 * idempotency key started. Only the key distinguishes a retry from a second payment of the same kind. After its
 * payment was cancelled, also by the provider, the key starts no other.
 * @throws DomainError `invalid_input` (the amount, with the limits in words, or the name on the card), `not_found`
 *   (no case, or not its matter), `not_payable` (cancelled, or the case is closed), `payment_cancelled` (by the provider),
 *   `limit_reached` (for today), `already_paid`, `payment_under_review`, `idempotency_key_reused`,
 *   `too_many_payment_attempts`, `payment_being_checked`, `provider_unavailable`
 */
export async function startOtherPayment(
  dependencies: PaymentDependencies & { limits: LimitsByMethod },
  request: {
    clientId: string;
    body: OtherPaymentBody;
    idempotencyKey: string | undefined;
    address?: string;
  },
): Promise<PaymentIntent> {
  const { limits } = dependencies;
  const { clientId, address, body, idempotencyKey } = request;
  const method = body.method ?? 'card';
  checkAmount(body.amount, method, limits);
  const { category, amount, reference, matter_id, ...answers } = body;
  return startPayment(dependencies, {
    kind: 'other',
    payer: { clientId, address },
    body,
    confirmation: readConfirmation(answers, 'other'),
    minAmount: limits[method].min,
    dailyLimit: limits[method].dailyMax,
    idempotencyKey,
  });
}
