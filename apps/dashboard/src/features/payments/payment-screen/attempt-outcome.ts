import { cardRefusal } from '@keyturn/contract';
import type { PaymentAttempt } from '../../../api/payments/payment-tab-store.ts';
import type { ProviderIntentState } from '../../../api/payments/provider-intent-state.ts';
import type { CardInput } from '../sandbox/card-input.ts';

/**
 * What came of an attempt, as the provider tells it. A refusal with the mark that was there before the attempt is of
 * an older one: then this one never reached the bank.
 */
export function attemptAfter(
  attempt: PaymentAttempt,
  { status, revision, refusal }: ProviderIntentState,
): PaymentAttempt {
  if (status !== 'requires_payment_method') return attempt;
  const isOfThis = revision !== attempt.mark && refusal !== null;
  return { ...attempt, refusal: isOfThis ? refusal : 'no_response' };
}

/**
 * A refusal in words for the client: what happened, and what else to know and do. In both that nothing was charged.
 * @param phone the firm's, where it is known
 */
export function refusalWords(code: string, phone?: string): { cause: string; remedy: string } {
  const words =
    code === 'no_response'
      ? `We did not hear back in time. You have not been charged. Try again${phone ? `, or call us on ${phone}` : ''}.`
      : cardRefusal(code, phone);
  const end = words.indexOf('. ') + 1;
  return { cause: words.slice(0, end), remedy: words.slice(end + 1) };
}

/** The field that a refusal is about; null: it is about the card as a whole. */
export function fieldOfRefusal(code: string): keyof CardInput | null {
  if (code === 'incorrect_cvc') return 'securityCode';
  if (code === 'expired_card') return 'expiry';
  if (code === 'test_card_required') return 'number';
  return null;
}
