import { Refusal } from '../../platform/refusal.ts';
import type { PaymentDependencies } from './learn-of-intent.ts';
import { type PaymentRow, renewProviderKey, storeIntentId } from './payments-store.ts';
import { FailureKept, IntentUnknown, ProviderUnavailable } from './ports.ts';

/**
 * The intent of a payment, made at the provider if there is none. The payment is committed with its key: whoever
 * asks again, after whatever happened, repeats the very same call and gets the same intent.
 * @throws Refusal `provider_unavailable`: nobody has the intent's secret yet, so nothing can have been charged
 */
export async function intentOfPayment(
  { database, provider }: Pick<PaymentDependencies, 'database' | 'provider'>,
  payment: PaymentRow,
): Promise<string> {
  if (payment.providerIntentId) return payment.providerIntentId;
  try {
    const intent = await provider.createIntent({
      paymentId: payment.id,
      caseId: payment.caseId,
      kind: payment.kind,
      amount: payment.amount,
      currency: payment.currency,
      description: payment.description,
      idempotencyKey: payment.providerIdempotencyKey,
    });
    return await storeIntentId(database, payment.id, intent.intentId);
  } catch (error) {
    // The one that may have been made is nobody's: its secret is given to no browser.
    if (error instanceof FailureKept) await renewProviderKey(database, payment);
    if (error instanceof ProviderUnavailable) throw new Refusal('provider_unavailable', { retryAfter });
    throw error;
  }
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
