import type { StatementNames } from '../../case-file/cases/payable-cases.ts';
import { payableCases } from '../../case-file/cases/payable-cases.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Payer } from '../attempts/payment-attempts.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import type { ProviderIntent, ProviderIntentState } from '../ports/intents.ts';
import { IdempotencyKeyConflict, isProviderError, ProviderUnavailable } from '../ports/provider.ts';
import { replaceProviderKey, storeIntentId } from '../records/intents-store.ts';
import { isAsRequested } from '../records/payment-states.ts';
import type { PaymentRow } from '../records/rows.ts';
import type { RetrievedIntent } from './sync-payment.ts';

/** Milliseconds for which a provider certainly knows a key: Stripe forgets it after 24 hours. */
const keyLifetime = 23 * 3_600_000;
/** Milliseconds by which the provider's clock may be behind ours. */
const clockTolerance = 5 * 60_000;

type IntentDependencies = Pick<PaymentDependencies, 'database' | 'provider' | 'clock' | 'installationId'>;

/** The intent of a payment, with what remains to be done before it can be paid. */
export interface CreatedIntent {
  intentId: string;
  /** The intent if this call created it, which needs no further call; null if it existed before and has to be retrieved. */
  created: RetrievedIntent | null;
  /** Whether the created intent has the requested terms and is stored, so that nothing needs to be applied. */
  isComplete: boolean;
}

/**
 * Creates the intent of a payment at the provider, or returns the one that it has. The payment is committed with its
 * idempotency key, so a retry repeats the same call and gets the same intent. If the provider may have forgotten the
 * key, or the key conflicts, an intent that names this payment is looked up first, and another one is created with a
 * new key only if there is none.
 * @param asked.payer the client who asks to pay; a new intent resets the expiry of a payment that they have confirmed
 * @param asked.statement the facts for the payer's statement, if the caller knows them
 * @throws DomainError `provider_unavailable`: no browser has the intent's secret yet, so nothing can have been
 *   charged
 * @throws ProviderRefused if the provider permanently refuses to create it
 */
export async function createIntent(
  dependencies: IntentDependencies,
  payment: PaymentRow,
  { payer, statement }: { payer?: Payer; statement?: StatementNames | null | undefined } = {},
): Promise<CreatedIntent> {
  if (payment.providerIntentId)
    return { intentId: payment.providerIntentId, created: null, isComplete: false };
  const { database, provider, clock } = dependencies;
  const askedAt = clock();
  try {
    const isOld = askedAt.getTime() - payment.createdAt.getTime() > keyLifetime;
    const found = isOld ? await findAtProvider(dependencies, payment) : undefined;
    const intent = found ?? (await createOrFindAtProvider(dependencies, payment, statement));
    const isFound = typeof intent === 'string';
    // Of two concurrent intents, the first to be stored is used.
    const { intentId, stored } = await storeIntentId(database, payment.id, {
      intentId: isFound ? intent : intent.intentId,
      accountId: provider.knownAccountId(),
      revision: isFound ? null : intent.revision,
      payer: payer && payer.clientId === payment.confirmedBy ? { ...payer, at: askedAt } : null,
    });
    if (stored === null || isFound) return { intentId, created: null, isComplete: false };
    return {
      intentId,
      created: { intent, askedAt },
      isComplete: isAsRequested({ ...payment, ...stored }, intent),
    };
  } catch (error) {
    // A key that conflicts even after it was replaced is replaced again at the next attempt.
    if (error instanceof ProviderUnavailable || error instanceof IdempotencyKeyConflict) {
      throw new DomainError('provider_unavailable', { retryAfter });
    }
    throw error;
  }
}

/** @returns the intent, or the id of one that existed before */
async function createOrFindAtProvider(
  dependencies: IntentDependencies,
  payment: PaymentRow,
  known: StatementNames | null | undefined,
): Promise<ProviderIntent | string> {
  const clientId = payment.confirmedBy ?? payment.clientId;
  const statement =
    known === undefined
      ? await payableCases.findStatementNames(dependencies.database, payment.caseId)
      : known;
  const create = (idempotencyKey: string) =>
    dependencies.provider.createIntent({
      paymentId: payment.id,
      caseId: payment.caseId,
      kind: payment.kind,
      method: payment.method,
      amount: payment.amount,
      currency: payment.currency,
      description: payment.description,
      idempotencyKey,
      statement,
      labels: {
        installationId: dependencies.installationId,
        searchId: payment.caseSearchId,
        clientId,
        matterId: payment.matterId,
      },
    });
  try {
    return await create(payment.providerIdempotencyKey);
  } catch (error) {
    if (!(error instanceof IdempotencyKeyConflict)) throw error;
    const found = await findAtProvider(dependencies, payment);
    if (found !== undefined) return found;
    return create(await replaceProviderKey(dependencies.database, payment));
  }
}

/**
 * Finds the intent at the provider that names this payment and has its terms. Intents with other terms are cancelled:
 * no browser has their secrets.
 */
async function findAtProvider(
  { provider }: Pick<PaymentDependencies, 'provider'>,
  payment: PaymentRow,
): Promise<string | undefined> {
  const since = new Date(payment.createdAt.getTime() - clockTolerance);
  const named = (await provider.listIntents(since)).filter(({ paymentId }) => paymentId === payment.id);
  const hasTerms = ({ amount, currency, status }: ProviderIntentState) =>
    amount === payment.amount && currency === payment.currency && status !== 'cancelled';
  for (const { intentId, status } of named.filter((facts) => !hasTerms(facts))) {
    if (status !== 'cancelled') await provider.cancelIntent(intentId);
  }
  const rank = ({ status }: ProviderIntentState) =>
    status === 'succeeded' ? 0 : status === 'processing' ? 1 : 2;
  return named.filter(hasTerms).sort((one, other) => rank(one) - rank(other))[0]?.intentId;
}

/**
 * Maps the errors of a provider call about an intent that may have been paid. Without an answer we cannot say that
 * nothing was charged.
 * @throws DomainError `payment_being_checked` if the provider is unavailable, rejects our key, refuses the request, does
 *   not know the intent or repeats an old answer
 */
export async function mapProviderErrors<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    if (isProviderError(error)) throw new DomainError('payment_being_checked', { retryAfter });
    throw error;
  }
}

/** Seconds. */
const retryAfter = 5;
