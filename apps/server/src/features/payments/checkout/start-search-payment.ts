import type { PaymentIntent, SearchPaymentBody } from '@keyturn/contract';
import type { Transaction } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { isId } from '../../../platform/ids.ts';
import type { PayableSearch } from '../ports.ts';
import { cancelAtProvider } from '../provider/cancel-at-provider.ts';
import type { PaymentDependencies } from '../provider/sync-payment.ts';
import { findPaymentForSearch, type PaymentRow } from '../records/payments-store.ts';
import { contentOf, findOrCreatePayment, type PaymentTerms } from './find-or-create-payment.ts';
import { startPayment } from './start-payment.ts';

export interface SearchPaymentRequest {
  clientId: string;
  caseSearchId: string;
  /** What the client confirmed; the price is ours. */
  confirmed: SearchPaymentBody;
  idempotencyKey: string | undefined;
  /** Where the request comes from. */
  address?: string;
}

/**
 * Starts the payment for a search, or goes on with the one that is open: two clients, two tabs, a double click and
 * a retry after a crash all get the same payment and the same intent.
 * @throws DomainError `not_found`, `already_paid`, `not_payable`, `price_changed` (the client has to see it first),
 *   `payment_under_review`, `idempotency_key_reused`, `too_many_payment_attempts`, `payment_being_checked`,
 *   `provider_unavailable`
 */
export async function startSearchPayment(
  dependencies: PaymentDependencies,
  request: SearchPaymentRequest,
): Promise<PaymentIntent> {
  if (!isId(request.caseSearchId)) throw new DomainError('not_found');
  const payer = { clientId: request.clientId, address: request.address };
  try {
    return await startPayment(dependencies, payer, (transaction) =>
      holdSearch(dependencies, transaction, request),
    );
  } catch (error) {
    if (!(error instanceof HeldAtOtherPrice)) throw error;
    const after = await cancelAtProvider(dependencies, error.payment, 'price_changed');
    if (after.reviewReason !== null) throw new DomainError('payment_under_review');
    if (after.paidAt) throw new DomainError('already_paid');
    throw new DomainError(after.status === 'canceled' ? 'price_changed' : 'payment_being_checked');
  }
}

/** An open payment is for another price than the search's: it has to end before another one begins. */
class HeldAtOtherPrice extends Error {
  readonly payment: PaymentRow;
  constructor(payment: PaymentRow) {
    super('the payment is for another price');
    this.payment = payment;
  }
}

/** The payment that holds this search: there is one at most. */
async function holdSearch(
  dependencies: PaymentDependencies,
  transaction: Transaction,
  { clientId, caseSearchId, confirmed: said, idempotencyKey, address }: SearchPaymentRequest,
): Promise<PaymentRow> {
  const search = await dependencies.searches.lock(transaction, { clientId, caseSearchId });
  if (!search) throw new DomainError('not_found');
  const { price: seen, ...confirmed } = said;
  const payment = await findOrCreatePayment(dependencies, transaction, {
    clientId,
    address,
    idempotencyKey,
    content: [caseSearchId, contentOf(confirmed)],
    confirmed,
    find: async () => findPaymentForSearch(transaction, search.id),
    isPayable: search.awaitsPayment,
    begin: async () => termsOf(search),
  });
  if (payment.amount !== search.price.gross) throw new HeldAtOtherPrice(payment);
  if (seen !== undefined && seen !== search.price.gross) throw new DomainError('price_changed');
  return payment;
}

const termsOf = (search: PayableSearch): PaymentTerms => ({
  caseId: search.caseId,
  kind: 'search',
  amount: search.price.gross,
  description: search.name,
  category: 'search',
  matterId: search.matterId,
  caseSearchId: search.id,
  lines: [{ text: search.name, ...search.price, client_money: true }],
});
