import { DomainError } from '../../../platform/domain-error.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import {
  IdempotencyKeyConflict,
  IntentNotFound,
  type ProviderIntent,
  ProviderUnavailable,
} from '../ports.ts';
import type { PaymentRow } from '../records/payment-row.ts';
import type { ProviderIntentState } from '../records/payment-states.ts';
import { replaceProviderKey, storeIntentId } from './intents-store.ts';
import type { RetrievedIntent } from './sync-payment.ts';

/** Milliseconds for which a provider surely knows a key: Stripe forgets it after 24 hours. */
const keyIsKnownFor = 23 * 3_600_000;
/** Milliseconds by which the provider's clock may be behind ours. */
const clocksDiffer = 5 * 60_000;

/**
 * The intent of a payment, made at the provider if there is none. The payment is committed with its key: whoever
 * asks again, after whatever happened, repeats the very same call and gets the same intent. A key that may be forgotten
 * by now, or that gives no intent of these terms, is not tried blindly: the intent that names this payment is looked
 * for first, and another one is made, with another key, only where there is none.
 * @throws DomainError `provider_unavailable`: nobody has the intent's secret yet, so nothing can have been charged
 */
export async function ensureIntentId(dependencies: IntentDependencies, payment: PaymentRow): Promise<string> {
  return (await ensureIntent(dependencies, payment)).intentId;
}

type IntentDependencies = Pick<PaymentDependencies, 'database' | 'provider' | 'clock'>;

/**
 * The same, with what the provider said when it made the intent: so it stands, since nobody had its secret before it was
 * stored here. Null where the intent was there before, and has to be asked about.
 * @throws DomainError `provider_unavailable`
 */
export async function ensureIntent(
  dependencies: IntentDependencies,
  payment: PaymentRow,
): Promise<{ intentId: string; made: RetrievedIntent | null }> {
  if (payment.providerIntentId) return { intentId: payment.providerIntentId, made: null };
  const { database, clock } = dependencies;
  const askedAt = clock();
  try {
    const isOld = askedAt.getTime() - payment.createdAt.getTime() > keyIsKnownFor;
    const found = isOld ? await findIntent(dependencies, payment) : undefined;
    const intent = found ?? (await makeIntent(dependencies, payment));
    // Of two that were made at once the stored one counts.
    const stored = await storeIntentId(
      database,
      payment.id,
      typeof intent === 'string' ? intent : intent.intentId,
    );
    const isMade = stored.isNew && typeof intent !== 'string';
    return { intentId: stored.intentId, made: isMade ? { intent, askedAt } : null };
  } catch (error) {
    if (error instanceof ProviderUnavailable) throw new DomainError('provider_unavailable', { retryAfter });
    throw error;
  }
}

/** @returns the intent, or the id of one that was there */
async function makeIntent(
  dependencies: Pick<PaymentDependencies, 'database' | 'provider'>,
  payment: PaymentRow,
): Promise<ProviderIntent | string> {
  const create = (idempotencyKey: string) =>
    dependencies.provider.createIntent({
      paymentId: payment.id,
      caseId: payment.caseId,
      kind: payment.kind,
      amount: payment.amount,
      currency: payment.currency,
      description: payment.description,
      idempotencyKey,
    });
  try {
    return await create(payment.providerIdempotencyKey);
  } catch (error) {
    if (!(error instanceof IdempotencyKeyConflict)) throw error;
    const found = await findIntent(dependencies, payment);
    if (found !== undefined) return found;
    return create(await replaceProviderKey(dependencies.database, payment));
  }
}

/**
 * The intent at the provider that names this payment and is what we ask for. One of other terms is ended: nobody has its
 * secret, and nobody is to get it.
 */
async function findIntent(
  { provider }: Pick<PaymentDependencies, 'provider'>,
  payment: PaymentRow,
): Promise<string | undefined> {
  const since = new Date(payment.createdAt.getTime() - clocksDiffer);
  const named = (await provider.listIntents(since)).filter(({ paymentId }) => paymentId === payment.id);
  const isAsked = ({ amount, currency, status }: ProviderIntentState) =>
    amount === payment.amount && currency === payment.currency && status !== 'cancelled';
  for (const { intentId, status } of named.filter((facts) => !isAsked(facts))) {
    if (status !== 'cancelled') await provider.cancelIntent(intentId);
  }
  const rank = ({ status }: ProviderIntentState) =>
    status === 'succeeded' ? 0 : status === 'processing' ? 1 : 2;
  return named.filter(isAsked).sort((one, other) => rank(one) - rank(other))[0]?.intentId;
}

/**
 * An answer of the provider about an intent that somebody may have paid: where there is none, nobody may say that
 * nothing was charged.
 * @throws DomainError `payment_being_checked`
 */
export async function mapProviderErrors<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ProviderUnavailable || error instanceof IntentNotFound) {
      throw new DomainError('payment_being_checked', { retryAfter });
    }
    throw error;
  }
}

/** Seconds. */
const retryAfter = 5;
