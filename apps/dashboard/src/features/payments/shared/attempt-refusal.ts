import { type CardRefusalWords, cardRefusalWords } from '@keyturn/contract';
import type { AttemptRefusal } from '../../../api/payments/payment-tab-store.ts';

/** Why an attempt failed and what the client can do, for the sentences of `refusal-message.tsx`. */
export const refusalWords = (refusal: AttemptRefusal): CardRefusalWords =>
  refusal === 'no_response'
    ? { cause: 'We did not hear back in time.', remedy: 'Try again' }
    : cardRefusalWords[refusal];

/** The field of the card form that a refusal is about; null if it is about the card as a whole. */
export function fieldOfRefusal(refusal: AttemptRefusal): 'number' | 'expiry' | 'securityCode' | null {
  if (refusal === 'incorrect_cvc') return 'securityCode';
  if (refusal === 'expired_card') return 'expiry';
  if (refusal === 'test_card_required') return 'number';
  return null;
}
