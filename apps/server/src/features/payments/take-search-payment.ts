import { createHash } from 'node:crypto';
import type { PaymentIntent, SearchPaymentBody } from '@keyturn/contract';
import type { Transaction } from '../../platform/database.ts';
import { isId, newId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import { learnOfIntent, type PaymentDependencies } from './learn-of-intent.ts';
import {
  findIdempotencyKey,
  findPayment,
  findPaymentForSearch,
  insertPayment,
  keepIdempotencyKey,
  type PaymentRow,
  storeIntentId,
  updatePayment,
} from './payments-store.ts';
import { type PayableSearch, ProviderUnavailable } from './ports.ts';

export interface SearchPaymentRequest {
  clientId: string;
  caseSearchId: string;
  /** What the client confirmed; the price is ours. */
  confirmed: SearchPaymentBody;
  idempotencyKey: string | undefined;
}

/**
 * Starts the payment for a search, or goes on with the one that is open: two clients, two tabs, a double click and
 * a retry after a crash all get the same payment and the same intent.
 * @throws Refusal `not_found`, `already_paid`, `not_payable`, `idempotency_key_reused`, `provider_unavailable`
 */
export async function takeSearchPayment(
  dependencies: PaymentDependencies,
  request: SearchPaymentRequest,
): Promise<PaymentIntent> {
  const { database, provider } = dependencies;
  if (!isId(request.caseSearchId)) throw new Refusal('not_found');
  const payment = await database.transaction((transaction) =>
    holdPayment(dependencies, transaction, request),
  );
  try {
    // The row is committed with its key: whatever happens to us now, the next request repeats the very same call.
    const intentId = payment.providerIntentId ?? (await createIntent(dependencies, payment));
    const intent = await learnOfIntent(dependencies, intentId, { name: 'payment_requested' });
    const now = (await findPayment(database, payment.id)) ?? payment;
    if (isTaken(now)) throw new Refusal('already_paid');
    return {
      payment_id: payment.id,
      provider: provider.name,
      publishable_key: provider.publishableKey,
      client_secret: intent.clientSecret,
      amount: now.amount,
      currency: now.currency,
      status: now.status,
    };
  } catch (error) {
    if (error instanceof ProviderUnavailable) throw new Refusal('provider_unavailable', { retryAfter: 5 });
    throw error;
  }
}

async function createIntent(
  { database, provider }: PaymentDependencies,
  payment: PaymentRow,
): Promise<string> {
  const intent = await provider.createIntent({
    paymentId: payment.id,
    amount: payment.amount,
    currency: payment.currency,
    description: payment.description,
    idempotencyKey: payment.providerIdempotencyKey,
  });
  await storeIntentId(database, payment.id, intent.intentId);
  return intent.intentId;
}

/** The payment that holds this search, made if there is none, with what was confirmed. */
async function holdPayment(
  { searches, provider, clock }: PaymentDependencies,
  transaction: Transaction,
  { clientId, caseSearchId, confirmed, idempotencyKey }: SearchPaymentRequest,
): Promise<PaymentRow> {
  const search = await searches.lock(transaction, { clientId, caseSearchId });
  if (!search) throw new Refusal('not_found');
  const contentHash = hashOf(caseSearchId, confirmed);
  const used =
    idempotencyKey === undefined
      ? undefined
      : await findIdempotencyKey(transaction, { clientId, key: idempotencyKey });
  if (used && !used.contentHash.equals(contentHash)) throw new Refusal('idempotency_key_reused');

  const known = used && (await findPayment(transaction, used.paymentId));
  const held =
    known && known.status !== 'canceled' ? known : await findPaymentForSearch(transaction, search.id);
  if (held && isTaken(held)) throw new Refusal('already_paid');
  if (held && held === known) return held;
  if (!search.awaitsPayment) throw new Refusal('not_payable');

  const now = clock();
  const answers = answersOf(confirmed, now);
  const payment = held
    ? Object.keys(answers).length > 0
      ? await updatePayment(transaction, held.id, { ...answers, lastCause: 'payment_confirmed' })
      : held
    : await insertPayment(transaction, { ...newPayment(search, clientId, provider.name), ...answers });
  if (idempotencyKey !== undefined && !used) {
    const kept = await keepIdempotencyKey(transaction, {
      clientId,
      key: idempotencyKey,
      contentHash,
      paymentId: payment.id,
    });
    // The same key came with another search at the same moment.
    if (!kept) throw new Refusal('idempotency_key_reused');
  }
  return payment;
}

function newPayment(search: PayableSearch, clientId: string, provider: PaymentRow['provider']) {
  const id = newId();
  return {
    id,
    caseId: search.caseId,
    clientId,
    kind: 'search' as const,
    status: 'requires_payment_method' as const,
    amount: search.price.gross,
    description: search.name,
    category: 'search',
    matterId: search.matterId,
    caseSearchId: search.id,
    lines: [{ text: search.name, ...search.price, client_money: true }],
    provider,
    providerIdempotencyKey: `create-intent:${id}:1`,
    lastCause: 'payment_started',
  };
}

/** Only what was said: a request without a body takes nothing back. */
function answersOf(confirmed: SearchPaymentBody, now: Date) {
  return {
    ...(confirmed.order_now === undefined ? {} : { orderNow: confirmed.order_now, orderNowAt: now }),
    ...(confirmed.own_card === undefined ? {} : { ownCard: confirmed.own_card }),
    ...(confirmed.payer_name === undefined ? {} : { payerName: confirmed.payer_name }),
    ...(confirmed.receipt_email === undefined ? {} : { receiptEmail: confirmed.receipt_email }),
  };
}

const isTaken = (payment: PaymentRow) => payment.paidAt !== null;

function hashOf(caseSearchId: string, confirmed: SearchPaymentBody): Buffer {
  const content = Object.entries(confirmed).sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([caseSearchId, content]))
    .digest();
}
