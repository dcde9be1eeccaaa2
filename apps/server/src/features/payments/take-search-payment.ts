import type { PaymentIntent, SearchPaymentBody } from '@keyturn/contract';
import type { Transaction } from '../../platform/database.ts';
import { isId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import { contentOf, holdPayment, type PaymentTerms } from './hold-payment.ts';
import type { PaymentDependencies } from './learn-of-intent.ts';
import { findPaymentForSearch, type PaymentRow } from './payments-store.ts';
import type { PayableSearch } from './ports.ts';
import { takePayment } from './take-payment.ts';

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
 * @throws Refusal `not_found`, `already_paid`, `not_payable`, `idempotency_key_reused`, `too_many_payment_attempts`, `payment_being_checked`,
 *   `provider_unavailable`
 */
export async function takeSearchPayment(
  dependencies: PaymentDependencies,
  request: SearchPaymentRequest,
): Promise<PaymentIntent> {
  if (!isId(request.caseSearchId)) throw new Refusal('not_found');
  const payer = { clientId: request.clientId, address: request.address };
  return takePayment(dependencies, payer, (transaction) => holdSearch(dependencies, transaction, request));
}

/** The payment that holds this search: there is one at most. */
async function holdSearch(
  dependencies: PaymentDependencies,
  transaction: Transaction,
  { clientId, caseSearchId, confirmed, idempotencyKey, address }: SearchPaymentRequest,
): Promise<PaymentRow> {
  const search = await dependencies.searches.lock(transaction, { clientId, caseSearchId });
  if (!search) throw new Refusal('not_found');
  return holdPayment(dependencies, transaction, {
    clientId,
    address,
    idempotencyKey,
    content: [caseSearchId, contentOf(confirmed)],
    confirmed,
    find: async (known) =>
      known && known.status !== 'canceled' ? known : findPaymentForSearch(transaction, search.id),
    isPayable: search.awaitsPayment,
    begin: async () => termsOf(search),
  });
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
