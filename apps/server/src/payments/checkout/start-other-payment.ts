import type { OtherPaymentBody, PaymentIntent, PaymentMethod } from '@keyturn/contract';
import { formatMoney } from '@keyturn/format/money';
import { DomainError } from '../../platform/domain-error.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { readConfirmation } from './confirmation.ts';
import { startPayment } from './start-payment.ts';

/** Pence: for one payment, and for all other payments of a case by this method on one day in Europe/London. */
export interface OtherPaymentLimits {
  min: number;
  max: number;
  dailyMax: number;
}

export type LimitsByMethod = Readonly<Record<PaymentMethod, OtherPaymentLimits>>;

/**
 * Starts a payment that is not for a search, for the client's active case, or continues the payment that the same
 * idempotency key started. Only the key distinguishes a retry from a second payment of the same kind. After its
 * payment was cancelled, the key starts no other.
 * @throws DomainError `invalid_input` (the amount, with the limits in words, or the name on the card), `not_found`
 *   (no case, or not its matter), `not_payable` (cancelled, or the case is closed), `limit_reached` (for today),
 *   `already_paid`, `payment_under_review`, `idempotency_key_reused`, `too_many_payment_attempts`,
 *   `payment_being_checked`, `provider_unavailable`
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
    dailyLimit: limits[method].dailyMax,
    idempotencyKey,
  });
}

/**
 * Checks the amount of one payment against the firm's limits.
 * @param amount pence
 * @throws DomainError `invalid_input`
 */
export function checkAmount(amount: number, method: PaymentMethod, limits: LimitsByMethod): void {
  const { min, max } = limits[method];
  const message =
    amount < min
      ? `The least that can be paid here is ${formatMoney(min)}.`
      : amount > max
        ? `The most that can be paid here at once is ${formatMoney(max)}. Please call us about a bank transfer.`
        : undefined;
  if (message) throw new DomainError('invalid_input', { errors: { amount: [message] } });
}
