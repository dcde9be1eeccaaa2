import { cardRefusal } from '@keyturn/contract';
import type { ProviderWord } from '../../../api/payments/browser-provider.ts';
import type { PaymentAttempt } from '../../../api/payments/payment-visit.ts';
import type { CardInput } from '../sandbox/card-input.ts';

/**
 * What came of an attempt, as the provider tells it. A refusal with the mark that was there before the attempt is of
 * an older one: then this one never reached the bank.
 */
export function attemptAfter(
  attempt: PaymentAttempt,
  { status, mark, refusal }: ProviderWord,
): PaymentAttempt {
  if (status !== 'requires_payment_method') return attempt;
  const isOfThis = mark !== attempt.mark && refusal !== null;
  return { ...attempt, refusal: isOfThis ? refusal : 'not_heard' };
}

/**
 * A refusal in words for the client: what happened, and what else to know and do. In both that nothing was charged.
 * @param phone the firm's, where it is known
 */
export function refusalWords(code: string, phone?: string): { cause: string; remedy: string } {
  const words =
    code === 'not_heard'
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
