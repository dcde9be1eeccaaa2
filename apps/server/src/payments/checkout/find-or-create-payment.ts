import { createHash } from 'node:crypto';
import type { PaymentMethod, PaymentPurpose } from '@keyturn/contract';
import type { StatementNames } from '../../case-file/cases/payable-cases.ts';
import type { Transaction } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { newId } from '../../platform/ids.ts';
import { subjectsOf } from '../attempts/attempts-store.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import {
  chooseProvider,
  type MethodNotAccepted,
  methodRefusal,
  notAccepted,
} from '../provider/find-provider.ts';
import type { PaymentRow } from '../records/rows.ts';
import { checkUnasked } from '../rules/rule-facts.ts';
import { checkCanBePaid } from './check-can-be-paid.ts';
import {
  checkIsPayer,
  checkOrderWording,
  confirmationColumns,
  isConfirmedAs,
  recordConfirmation,
} from './confirmation.ts';
import { storeIdempotencyKey } from './idempotency-keys-store.ts';
import { lockPayable, type Payable } from './lock-payable.ts';
import { sumOtherPaymentsOfDay } from './other-payments-store.ts';
import type { PaymentRequest } from './payment-request.ts';
import { commitStartedPayment, type StartFacts } from './start-store.ts';

export interface FoundPayment {
  payment: PaymentRow;
  /** The reason for cancelling the payment at the provider; null if it can be paid. */
  outdated: 'price_changed' | MethodNotAccepted | 'confirmation_changed' | null;
  /** The text for a new payer's statement, if it was read. */
  statement?: StatementNames | null | undefined;
}

type Dependencies = Pick<PaymentDependencies, 'attempts' | 'clock' | 'provider' | 'providers' | 'purposes'>;

/**
 * Finds or creates the payment that a request is for, and records the client's confirmation. A payment at a former
 * price, with different answers of this client, or with a method that the firm no longer accepts is returned
 * unchanged, because it must first be cancelled at the provider. A new payment is committed.
 * @throws DomainError `not_found`, `idempotency_key_reused`, `payment_under_review`, `already_paid`, `not_payable`,
 *   `payment_cancelled`, `card_not_accepted`, `bank_not_accepted`, `price_changed`, `wording_changed`, `started_by_other_client`,
 *   `limit_reached`, `too_many_payment_attempts`
 */
export async function findOrCreatePayment(
  dependencies: Dependencies,
  transaction: Transaction,
  request: PaymentRequest,
): Promise<FoundPayment> {
  const { attempts } = dependencies;
  const { payer, confirmation } = request;
  const payable = await lockPayable(dependencies, transaction, request);
  const { existing, obstacle, unasked, facts } = payable;
  const usedKey = checkUsedKey(facts, request);
  checkCanBePaid(existing, obstacle);
  checkUnasked(unasked);
  const refusal = existing ? methodRefusal(dependencies, existing) : null;
  const choosesAnotherMethod = existing && confirmation && existing.method !== confirmation.method;
  if (existing && refusal && !choosesAnotherMethod) return { payment: existing, outdated: refusal };
  // A client whose bank is already asking for a confirmation may finish it.
  if (!existing || existing.status === 'requires_payment_method')
    attempts.check('decline', payer, facts.throttled);

  const price = payable.terms.amount;
  if (existing && existing.amount !== price) return { payment: existing, outdated: 'price_changed' };
  if (request.kind === 'search' && request.shownPrice !== undefined && request.shownPrice !== price) {
    throw new DomainError('price_changed');
  }
  if (existing && existing.id === usedKey?.paymentId) return { payment: existing, outdated: null };
  checkOrderWording(confirmation, payable.order);
  if (existing && confirmation) {
    await checkIsPayer(transaction, { payment: existing, clientId: payer.clientId });
    const isConfirmed = existing.confirmedBy !== null;
    if (choosesAnotherMethod || (isConfirmed && !isConfirmedAs(existing, confirmation)))
      return { payment: existing, outdated: 'confirmation_changed' };
  }

  if (!existing) {
    const payment = await createPayment(dependencies, transaction, request, payable);
    return { payment, outdated: null, statement: payable.statement };
  }
  if (!usedKey) await reserveKey(transaction, request, existing);
  return {
    payment: await continuePayment(dependencies, transaction, existing, { ...request, order: payable.order }),
    outdated: null,
  };
}

/** Confirms an open payment without a confirmation, if the request has one; other payments stay unchanged. */
const continuePayment = async (
  dependencies: Dependencies,
  transaction: Transaction,
  existing: PaymentRow,
  { payer, confirmation, order }: PaymentRequest & Pick<Payable, 'order'>,
): Promise<PaymentRow> =>
  existing.confirmedBy === null && confirmation
    ? recordConfirmation(dependencies, transaction, existing, { payer, confirmation, order })
    : existing;

async function createPayment(
  dependencies: Dependencies,
  transaction: Transaction,
  request: PaymentRequest,
  { terms, facts, clientName, order }: Payable,
): Promise<PaymentRow> {
  const { attempts, clock } = dependencies;
  const { payer, confirmation, idempotencyKey: key } = request;
  const method = methodOf(request);
  const provider = chooseProvider(dependencies, terms.category as PaymentPurpose, method, terms.lines);
  if (!provider) throw new DomainError(notAccepted(method));
  const now = clock();
  if (request.kind === 'other') {
    const paidToday = await sumOtherPaymentsOfDay(transaction, { caseId: terms.caseId, method, now });
    if (paidToday + terms.amount > request.dailyLimit) throw new DomainError('limit_reached');
  }
  attempts.check('start', payer, facts.throttled);
  const id = newId();
  return commitStartedPayment(transaction, {
    payment: {
      ...terms,
      ...(confirmation ? confirmationColumns(confirmation, { payer, clientName, order, now }) : {}),
      id,
      method,
      status: 'requires_payment_method',
      provider: provider.name,
      providerIdempotencyKey: `create-intent:${id}:1`,
      clientId: payer.clientId,
      lastPayerId: payer.clientId,
      lastPayerAddress: payer.address ?? null,
      lastCause: 'payment_started',
      nextCheckAt: now,
      createdAt: now,
      updatedAt: now,
    },
    subjects: subjectsOf(payer.clientId, payer.address),
    key: key === undefined || facts.usedKey ? null : { key, contentHash: hashContent(request) },
  });
}

/**
 * Returns the payment for which the request's idempotency key was used.
 * @throws DomainError `idempotency_key_reused` if it was used with different content
 */
function checkUsedKey({ usedKey }: StartFacts, request: PaymentRequest): StartFacts['usedKey'] {
  if (usedKey && !usedKey.contentHash.equals(hashContent(request)))
    throw new DomainError('idempotency_key_reused');
  return usedKey;
}

async function reserveKey(
  transaction: Transaction,
  request: PaymentRequest,
  { id: paymentId }: PaymentRow,
): Promise<void> {
  const { payer, idempotencyKey: key } = request;
  if (key === undefined) return;
  const isStored = await storeIdempotencyKey(transaction, {
    clientId: payer.clientId,
    key,
    contentHash: hashContent(request),
    paymentId,
  });
  // A concurrent request used the same key to pay for something else.
  if (!isStored) throw new DomainError('idempotency_key_reused');
}

/**
 * Returns the SHA-256 of the request's content, without the shown price, because a retry may show a different one.
 */
function hashContent(request: PaymentRequest): Buffer {
  const content =
    request.kind === 'search'
      ? [request.caseSearchId, sortedEntries(withoutDefault(request.confirmation))]
      : ['other', sortedEntries(request.body)];
  return createHash('sha256').update(JSON.stringify(content)).digest();
}

/** Keys from before there was a choice of methods, or words for a request to order, keep their hash. */
const withoutDefault = (confirmation: PaymentRequest['confirmation']): object => {
  const { method, orderWording, orderWords, ...answers } = confirmation ?? {};
  return {
    ...answers,
    ...(orderWording ? { orderWording, orderWords } : {}),
    ...(method === 'bank' ? { method } : {}),
  };
};

/** Returns the method that a request chooses; card if the client has not confirmed anything. */
const methodOf = ({ confirmation }: PaymentRequest): PaymentMethod => confirmation?.method ?? 'card';

const sortedEntries = (body: object): [string, unknown][] =>
  Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1));
