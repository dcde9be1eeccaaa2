import type { PaymentConfirmationBody, PaymentIntent } from '@keyturn/contract';
import { DomainError } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { readConfirmation } from './confirmation.ts';
import { startPayment } from './start-payment.ts';

/**
 * Starts the payment for a search, or continues the open payment: two tabs, a double click and a retry after a crash
 * all get the same payment and the same intent. An open payment with other answers of this client is cancelled first;
 * one that another client has confirmed is theirs, and only they get its client secret.
 * @param request.confirmed what the client confirmed; the price in it is the one that was shown, never the one charged
 * @throws DomainError `not_found`, `already_paid`, `not_payable`, `price_changed`, `wording_changed`, `started_by_other_client`,
 *   `payment_under_review`, `invalid_input`, `idempotency_key_reused`, `too_many_payment_attempts`,
 *   `payment_being_checked`, `provider_unavailable`
 */
export async function startSearchPayment(
  dependencies: PaymentDependencies,
  request: {
    clientId: string;
    caseSearchId: string;
    confirmed: PaymentConfirmationBody;
    idempotencyKey: string | undefined;
    address?: string;
  },
): Promise<PaymentIntent> {
  const { clientId, address, caseSearchId, idempotencyKey } = request;
  if (!isId(caseSearchId)) throw new DomainError('not_found');
  const { price: shownPrice, ...answers } = request.confirmed;
  return startPayment(dependencies, {
    kind: 'search',
    payer: { clientId, address },
    caseSearchId,
    shownPrice,
    confirmation: readConfirmation(answers, 'search'),
    idempotencyKey,
  });
}
