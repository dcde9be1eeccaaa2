import type { PaymentConfirmationBody, PaymentIntent } from '@keyturn/contract';
import type { Transaction } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { cancelAtProvider } from '../intents/cancel-at-provider.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import {
  isActive,
  type MethodNotAccepted,
  methodRefusal,
  withProviderOf,
} from '../provider/find-provider.ts';
import { findPayment } from '../records/payments-store.ts';
import { findOwnPayment } from '../records/read-payment.ts';
import type { PaymentRow } from '../records/rows.ts';
import {
  cancelOutdated,
  checkAmount,
  checkCanBePaid,
  checkIsCancelled,
  type LimitsByMethod,
} from './check-can-be-paid.ts';
import {
  checkIsPayer,
  checkOrderWording,
  isAskedFor,
  isConfirmedAs,
  readConfirmation,
  recordConfirmation,
} from './confirmation.ts';
import { createPaymentIntent } from './create-payment-intent.ts';
import { lockPayableOfPayment } from './lock-payable.ts';

export interface ConfirmRequest {
  clientId: string;
  paymentId: string;
  /** The client's confirmation, with the price that was shown. */
  confirmed: PaymentConfirmationBody;
  address: string | undefined;
}

/**
 * Checks an open payment just before the browser sends the card to the provider: the price, the limits, the payment's
 * state, and that this client is the one who confirmed it. A payment without a confirmation becomes this client's.
 * @throws DomainError `not_found`, `already_paid`, `not_payable`, `payment_cancelled` (by the provider),
 *   `card_not_accepted`, `bank_not_accepted`, `price_changed`, `wording_changed`, `started_by_other_client`, `confirmation_required`, `already_confirmed` (with different
 *   answers), `payment_under_review`, `invalid_input` (the amount is no longer within the limits, or an answer is
 *   missing), `too_many_payment_attempts`, `payment_being_checked`, `provider_unavailable`, `payments_paused`
 */
export async function confirmPayment(
  dependencies: PaymentDependencies & { limits: LimitsByMethod },
  request: ConfirmRequest,
): Promise<PaymentIntent> {
  const { database, continuity, accountKeys } = dependencies;
  const own = await findOwnPayment(database, request.clientId, request.paymentId);
  await continuity.checkOpen(own.provider);
  await accountKeys.check(own.provider);
  const { payment, outdated } = await runTransaction(database, (transaction) =>
    checkAndRecord(dependencies, transaction, own, request),
  );
  if (outdated) return cancelOutdated(dependencies, payment, outdated);
  if (!isActive(dependencies, payment.provider)) {
    checkIsCancelled(await cancelAtProvider(dependencies, payment, 'provider_changed'));
    throw new DomainError('not_payable');
  }
  return createPaymentIntent(withProviderOf(dependencies, payment), payment, { payer: request });
}

async function checkAndRecord(
  dependencies: PaymentDependencies & { limits: LimitsByMethod },
  transaction: Transaction,
  own: PaymentRow,
  { clientId, address, confirmed: { price: shownPrice, ...answers } }: ConfirmRequest,
): Promise<{
  payment: PaymentRow;
  outdated: 'price_changed' | 'wording_changed' | MethodNotAccepted | null;
}> {
  const { attempts, limits } = dependencies;
  const confirmation = readConfirmation(answers, own.kind);
  const payer = { clientId, address };
  const { obstacle, price, order } = await lockPayableOfPayment(dependencies, transaction, {
    payment: own,
    clientId,
  });
  const payment = (await findPayment(transaction, own.id)) ?? own;
  checkCanBePaid(payment, obstacle);
  const refusal = methodRefusal(dependencies, payment);
  if (refusal) return { payment, outdated: refusal };
  if (payment.kind === 'other') checkAmount(payment.amount, payment.method, limits);
  // A client whose bank is already asking for a confirmation may finish it.
  if (payment.status === 'requires_payment_method') await attempts.checkDeclines(transaction, payer);
  if (payment.amount !== price) return { payment, outdated: 'price_changed' };
  if (shownPrice !== undefined && shownPrice !== price) throw new DomainError('price_changed');
  await checkIsPayer(transaction, { payment, clientId });
  if (payment.confirmedBy !== null) {
    if (confirmation && !isConfirmedAs(payment, confirmation)) throw new DomainError('already_confirmed');
    if (payment.status === 'requires_payment_method' && !isAskedFor(payment, order))
      return { payment, outdated: 'wording_changed' };
    return { payment, outdated: null };
  }
  if (!confirmation) throw new DomainError('confirmation_required');
  // The intent was created for another method, so this method needs a new payment.
  if (payment.method !== confirmation.method) throw new DomainError('already_confirmed');
  checkOrderWording(confirmation, order);
  return {
    payment: await recordConfirmation(dependencies, transaction, payment, { payer, confirmation, order }),
    outdated: null,
  };
}
