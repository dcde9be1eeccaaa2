import { type CardDeclineWords, paymentFailureWords } from '@keyturn/contract';
import type { AttemptDecline } from '../../../api/payments/payment-tab-store.ts';

/** Why an attempt failed and what the client can do, for the sentences of `decline-message.tsx`. */
export const declineWords = (decline: AttemptDecline): CardDeclineWords =>
  decline === 'no_response'
    ? { cause: 'We did not hear back in time.', remedy: 'Try again' }
    : paymentFailureWords[decline];

/** The field of the card form that a decline is about; null if it is about the card as a whole. */
export function fieldOfDecline(decline: AttemptDecline): 'number' | 'expiry' | 'securityCode' | null {
  if (decline === 'incorrect_cvc') return 'securityCode';
  if (decline === 'expired_card') return 'expiry';
  if (decline === 'test_card_required') return 'number';
  return null;
}
