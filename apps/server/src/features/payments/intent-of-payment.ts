import { Refusal } from '../../platform/refusal.ts';
import type { PaymentDependencies } from './learn-of-intent.ts';
import type { ProviderFacts } from './payment-states.ts';
import { beginAttempt, type PaymentRow, storeIntentId } from './payments-store.ts';
import { IntentUnknown, KeySpent, ProviderUnavailable } from './ports.ts';

/** Milliseconds for which a provider surely knows a key: Stripe forgets it after 24 hours. */
const keyIsKnownFor = 23 * 3_600_000;
/** Milliseconds by which the provider's clock may be behind ours. */
const clocksDiffer = 5 * 60_000;

/**
 * The intent of a payment, made at the provider if there is none. The payment is committed with its key: whoever
 * asks again, after whatever happened, repeats the very same call and gets the same intent. A key that may be forgotten
 * by now, or that gives no intent of these terms, is not tried blindly: the intent that names this payment is looked
 * for first, and another one is made, with another key, only where there is none.
 * @throws Refusal `provider_unavailable`: nobody has the intent's secret yet, so nothing can have been charged
 */
export async function intentOfPayment(
  dependencies: Pick<PaymentDependencies, 'database' | 'provider' | 'clock'>,
  payment: PaymentRow,
): Promise<string> {
  if (payment.providerIntentId) return payment.providerIntentId;
  try {
    const isOld = dependencies.clock().getTime() - payment.createdAt.getTime() > keyIsKnownFor;
    const intentId =
      (isOld ? await findIntent(dependencies, payment) : undefined) ??
      (await makeIntent(dependencies, payment));
    // Of two that were made at once the stored one counts.
    return await storeIntentId(dependencies.database, payment.id, intentId);
  } catch (error) {
    if (error instanceof ProviderUnavailable) throw new Refusal('provider_unavailable', { retryAfter });
    throw error;
  }
}

async function makeIntent(
  dependencies: Pick<PaymentDependencies, 'database' | 'provider'>,
  payment: PaymentRow,
): Promise<string> {
  const create = async (idempotencyKey: string) => {
    const { intentId } = await dependencies.provider.createIntent({
      paymentId: payment.id,
      caseId: payment.caseId,
      kind: payment.kind,
      amount: payment.amount,
      currency: payment.currency,
      description: payment.description,
      idempotencyKey,
    });
    return intentId;
  };
  try {
    return await create(payment.providerIdempotencyKey);
  } catch (error) {
    if (!(error instanceof KeySpent)) throw error;
    const found = await findIntent(dependencies, payment);
    if (found !== undefined) return found;
    return create(await beginAttempt(dependencies.database, payment));
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
  const isAsked = ({ amount, currency, status }: ProviderFacts) =>
    amount === payment.amount && currency === payment.currency && status !== 'canceled';
  for (const { intentId, status } of named.filter((facts) => !isAsked(facts))) {
    if (status !== 'canceled') await provider.cancelIntent(intentId);
  }
  const rank = ({ status }: ProviderFacts) => (status === 'succeeded' ? 0 : status === 'processing' ? 1 : 2);
  return named.filter(isAsked).sort((one, other) => rank(one) - rank(other))[0]?.intentId;
}

/**
 * An answer of the provider about an intent that somebody may have paid: where there is none, nobody may say that
 * nothing was charged.
 * @throws Refusal `payment_being_checked`
 */
export async function orBeingChecked<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ProviderUnavailable || error instanceof IntentUnknown) {
      throw new Refusal('payment_being_checked', { retryAfter });
    }
    throw error;
  }
}

/** Seconds. */
const retryAfter = 5;
