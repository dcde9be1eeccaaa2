import type { PaymentMethod } from '@keyturn/contract';
import { formatMoney } from '@keyturn/format/money';
import { DomainError } from '../../platform/domain-error.ts';
import { cancelAtProvider } from '../intents/cancel-at-provider.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import type { MethodNotAccepted } from '../provider/find-provider.ts';
import { isStoppedByProvider } from '../records/payment-states.ts';
import type { PaymentRow } from '../records/rows.ts';
import type { PaymentObstacle } from '../rules/rule-facts.ts';

/** Pence: for one payment, and for all other payments of a case by this method on one day in Europe/London. */
export interface OtherPaymentLimits {
  min: number;
  max: number;
  dailyMax: number;
}

export type LimitsByMethod = Readonly<Record<PaymentMethod, OtherPaymentLimits>>;

/**
 * Checks that a payment can still be made.
 * @param obstacle why its search, bill or purpose cannot be paid at the moment; null if it can
 * @throws DomainError `payment_under_review`, `already_paid`, `not_payable`, `identity_not_checked`, `payment_cancelled` (by the
 *   provider, so that another payment can be started)
 */
export function checkCanBePaid(payment: PaymentRow | undefined, obstacle: PaymentObstacle | null): void {
  if (payment?.reviewReason) throw new DomainError('payment_under_review');
  if (payment?.paidAt) throw new DomainError('already_paid');
  if (obstacle) throw new DomainError(obstacle);
  if (payment?.status === 'cancelled')
    throw new DomainError(isStoppedByProvider(payment) ? 'payment_cancelled' : 'not_payable');
}

/**
 * Checks that a payment was cancelled as requested.
 * @throws DomainError `payment_under_review`, `already_paid`, `payment_being_checked`
 */
export function checkIsCancelled(payment: PaymentRow): void {
  if (payment.reviewReason !== null) throw new DomainError('payment_under_review');
  if (payment.paidAt) throw new DomainError('already_paid');
  if (payment.status !== 'cancelled') throw new DomainError('payment_being_checked');
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

/**
 * Cancels an open payment that can no longer be made, because its price or the words of the request to order have
 * changed, or the firm no longer accepts its method.
 * @throws DomainError always: `reason`, or the payment's actual outcome
 */
export async function cancelOutdated(
  dependencies: PaymentDependencies,
  payment: PaymentRow,
  reason: 'price_changed' | 'wording_changed' | MethodNotAccepted,
): Promise<never> {
  checkIsCancelled(await cancelAtProvider(dependencies, payment, reason));
  throw new DomainError(reason);
}
