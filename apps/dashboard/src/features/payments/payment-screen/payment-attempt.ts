import type { PaymentAttempt } from '../../../api/payments/payment-tab-store.ts';
import type { ProviderIntentState } from '../../../api/payments/provider-intent-state.ts';

/**
 * An attempt whose outcome is not known yet.
 * @param revisionBefore of the provider's intent before the card is sent; empty if it is not known
 */
export const newAttempt = (paymentId: string, revisionBefore: string): PaymentAttempt => ({
  paymentId,
  revisionBefore,
  decline: null,
});

/**
 * The attempt after the provider's answer. A decline under an unchanged revision belongs to an earlier attempt, so this
 * one never reached the bank.
 */
export function attemptAfter(
  attempt: PaymentAttempt,
  { status, revision, decline }: ProviderIntentState,
): PaymentAttempt {
  if (status !== 'requires_payment_method') return attempt;
  const isRefusedNow = revision !== attempt.revisionBefore && decline !== null;
  return { ...attempt, decline: isRefusedNow ? decline : 'no_response' };
}
