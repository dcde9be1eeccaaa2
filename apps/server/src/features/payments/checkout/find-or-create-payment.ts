import { createHash } from 'node:crypto';
import type { SearchPaymentBody } from '@keyturn/contract';
import type { Clock } from '../../../platform/clock.ts';
import type { Transaction } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import {
  findIdempotencyKey,
  findPayment,
  insertPayment,
  type NewPayment,
  type PaymentRow,
  storeIdempotencyKey,
  updatePayment,
} from '../records/payments-store.ts';
import type { PaymentAttempts } from './payment-attempts.ts';

/** What a payment is for, as the call that takes it decides. */
export type PaymentTerms = Pick<
  NewPayment,
  | 'caseId'
  | 'kind'
  | 'amount'
  | 'description'
  | 'category'
  | 'reference'
  | 'matterId'
  | 'caseSearchId'
  | 'lines'
>;

export interface HoldRequest {
  clientId: string;
  /** The request's. */
  address: string | undefined;
  idempotencyKey: string | undefined;
  /** All that the call was sent: the same key goes with the same content. */
  content: unknown;
  /** What the client confirmed. */
  confirmed: SearchPaymentBody;
  /** Finds the payment to go on with, open or taken. `known` is the one that the key stands for. */
  find(known: PaymentRow | undefined): Promise<PaymentRow | undefined>;
  /** Whether it can be paid at all now. */
  isPayable: boolean;
  /** What a new payment is for; asked only when there is none to go on with. */
  begin(): Promise<PaymentTerms>;
}

/**
 * The payment to go on with, made if there is none, with what was confirmed. The caller has locked what is paid for:
 * two that come at once come one after the other.
 * @throws DomainError `idempotency_key_reused`, `payment_under_review`, `already_paid`, `not_payable`,
 *   `too_many_payment_attempts`, and those of the request's own questions
 */
export async function findOrCreatePayment(
  {
    provider,
    attempts,
    clock,
  }: { provider: { name: PaymentRow['provider'] }; attempts: PaymentAttempts; clock: Clock },
  transaction: Transaction,
  request: HoldRequest,
): Promise<PaymentRow> {
  const { clientId, idempotencyKey } = request;
  const contentHash = hashOf(request.content);
  const used =
    idempotencyKey === undefined
      ? undefined
      : await findIdempotencyKey(transaction, { clientId, key: idempotencyKey });
  if (used && !used.contentHash.equals(contentHash)) throw new DomainError('idempotency_key_reused');

  const known = used && (await findPayment(transaction, used.paymentId));
  const held = await request.find(known);
  if (held?.reviewReason) throw new DomainError('payment_under_review');
  if (held?.paidAt) throw new DomainError('already_paid');
  if (!request.isPayable) throw new DomainError('not_payable');
  const payer = { clientId, address: request.address };
  // Who is at the bank's check already may finish it.
  if (!held || held.status === 'requires_payment_method') await attempts.admit(transaction, payer);
  if (held && held.id === known?.id) return held;

  const now = clock();
  const confirmation = confirmationOf(request.confirmed, now);
  const begin = async () => {
    const terms = await request.begin();
    await attempts.admitStart(transaction, payer);
    const begun = await insertPayment(transaction, {
      ...newPayment(provider.name, now),
      ...terms,
      ...confirmation,
      clientId,
      confirmedBy: clientId,
      takenBy: clientId,
      takenFrom: request.address ?? null,
    });
    await attempts.countStart(transaction, payer, begun.id);
    return begun;
  };
  const payment = held ? await confirm(transaction, held, request, confirmation) : await begin();
  if (idempotencyKey !== undefined && !used) {
    const key = { clientId, key: idempotencyKey, contentHash, paymentId: payment.id };
    // The same key came with something else to pay for at the same moment.
    if (!(await storeIdempotencyKey(transaction, key))) throw new DomainError('idempotency_key_reused');
  }
  return payment;
}

/** A card that is on its way keeps the words that it was sent with. */
async function confirm(
  transaction: Transaction,
  held: PaymentRow,
  { clientId, address }: HoldRequest,
  confirmation: Partial<PaymentRow>,
): Promise<PaymentRow> {
  if (held.status !== 'requires_payment_method' || Object.keys(confirmation).length === 0) return held;
  const isAnother = clientId !== (held.confirmedBy ?? held.clientId);
  return updatePayment(transaction, held.id, {
    // The other owner's receipt is not for this one's post.
    ...(isAnother ? { receiptEmail: null } : {}),
    ...confirmation,
    takenBy: clientId,
    takenFrom: address ?? null,
    confirmedBy: clientId,
    lastCause: 'payment_confirmed',
  });
}

/** Only what was said: a request without a body takes nothing back. Whose card it is and who pays go together. */
function confirmationOf(confirmed: SearchPaymentBody, now: Date): Partial<PaymentRow> {
  const { order_now, own_card, payer_name, receipt_email, wording } = confirmed;
  if (Object.keys(confirmed).length === 0) return {};
  return {
    wording: wording ?? null,
    ...(order_now === undefined ? {} : { orderNow: order_now, orderNowAt: now }),
    ...(own_card === undefined ? {} : { ownCard: own_card, payerName: null }),
    ...(payer_name === undefined ? {} : { payerName: payer_name }),
    ...(receipt_email === undefined ? {} : { receiptEmail: receipt_email }),
  };
}

function newPayment(provider: PaymentRow['provider'], now: Date) {
  const id = newId();
  return {
    id,
    status: 'requires_payment_method' as const,
    provider,
    providerIdempotencyKey: `create-intent:${id}:1`,
    lastCause: 'payment_started',
    nextCheckAt: now,
    createdAt: now,
    updatedAt: now,
  };
}

const hashOf = (content: unknown) => createHash('sha256').update(JSON.stringify(content)).digest();

/** A body, written down in one way whatever order its fields came in. */
export const contentOf = (body: object): [string, unknown][] =>
  Object.entries(body).sort(([one], [other]) => (one < other ? -1 : 1));
